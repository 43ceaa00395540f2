/**
 * A value that is there or is promised. Where nearly every request finds everything in memory, a promise for each step
 * costs as much as the work between them (decision 0014).
 */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: at once when it is there, later when it is promised. A fault is thrown or rejects likewise. */
export const andThen = <T, Next>(value: Awaitable<T>, next: (value: T) => Awaitable<Next>): Awaitable<Next> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Several values side by side: at once when none of them is promised. */
export const together = <Values extends readonly unknown[]>(
  values: readonly [...Values],
): Awaitable<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as never)
