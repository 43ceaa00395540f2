/** 0 for no values. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Each value with all before it added. */
export function cumulate(values: readonly number[]): number[] {
  let total = 0
  return values.map((value) => (total += value))
}
