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

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

/** A number of bytes in the largest unit of which there is one, as the reader's locale writes it: 1.2 GB. */
export function writeBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const style = { style: "unit", unit: BYTE_UNITS[power] ?? "byte", maximumFractionDigits: 1 } as const
  return (bytes / 1000 ** power).toLocaleString(undefined, style)
}
