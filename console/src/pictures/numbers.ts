/** A number as people write it, with at most two places. */
export const writeNumber = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 2 })

/** The smallest of 1, 2, 4, 8 and 10 times a power of ten not below a positive value: short in quarters. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 8].find((step) => step * power >= value) ?? 10) * power
}
