/** A number as people write it, with at most two places. */
export const writeNumber = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 2 })

/** The smallest of 1, 2, 4, 8 and 10 times a power of ten not below a positive value: short in quarters. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 8].find((step) => step * power >= value) ?? 10) * power
}

/** A part of a whole in percent, with one place below ten. */
export const writeShare = (part: number, whole: number): string =>
  (whole === 0 ? 0 : part / whole).toLocaleString(undefined, { style: "percent", maximumFractionDigits: 1 })

const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
] as const

/** A duration in the largest unit that it fills. */
export function writeDuration(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [1, "second"]
  const format = { style: "unit", unit, unitDisplay: "narrow", maximumFractionDigits: 1 } as const
  return (seconds / size).toLocaleString(undefined, format)
}
