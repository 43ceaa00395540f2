/** Counts the calls of some methods while `work` runs; they do what they did before. */
export async function countCalls(
  targets: readonly (readonly [target: object, method: string])[],
  work: () => Promise<unknown>,
): Promise<number> {
  let calls = 0
  const methods = targets.map(([target, method]) => {
    const own = Reflect.get(target, method) as (...parameters: unknown[]) => unknown
    Reflect.set(target, method, (...parameters: unknown[]) => {
      calls++
      return own.apply(target, parameters)
    })
    return () => Reflect.set(target, method, own)
  })
  try {
    await work()
  } finally {
    for (const restore of methods) restore()
  }
  return calls
}
