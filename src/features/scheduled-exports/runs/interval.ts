import type { ExportFrequency, ScheduledExport } from "../scheduled-exports.types.js"

const LENGTH_MS: Readonly<Record<ExportFrequency, number>> = { hourly: 3_600_000, daily: 86_400_000 }

/** The full hour or midnight, UTC, at or before a time. */
export const toIntervalStart = (frequency: ExportFrequency, at: Date): Date =>
  new Date(Math.floor(at.getTime() / LENGTH_MS[frequency]) * LENGTH_MS[frequency])

/** The first full hour or midnight, UTC, after a time. */
export const toIntervalEnd = (frequency: ExportFrequency, after: Date): Date =>
  new Date(toIntervalStart(frequency, after).getTime() + LENGTH_MS[frequency])

/** From when to when. */
export interface Interval {
  readonly from: Date
  readonly to: Date
}

/**
 * The next interval of an export that is over, or that somebody wants to end; null when there is none yet. What events
 * have missed is made up for interval by interval. Persons and groups are as they are now, so that of theirs only the last
 * one is.
 */
export function findNextInterval(
  {
    content,
    frequency,
    exportedUntil,
    cutAt,
  }: Pick<ScheduledExport, "content" | "frequency" | "exportedUntil" | "cutAt">,
  now: Date,
): Interval | null {
  const last = toIntervalStart(frequency, now)
  const isBehind = content !== "events" && toIntervalEnd(frequency, exportedUntil) < last
  const from = isBehind ? new Date(last.getTime() - LENGTH_MS[frequency]) : exportedUntil
  const end = toIntervalEnd(frequency, from)
  if (end <= now) return { from, to: end }
  return cutAt !== null && cutAt > from && cutAt <= now ? { from, to: cutAt } : null
}

/** When the next interval is over, at the earliest, of an export that has none yet. */
export const findNextLook = (
  { frequency, exportedUntil, cutAt }: Pick<ScheduledExport, "frequency" | "exportedUntil" | "cutAt">,
  now: Date,
): Date => (cutAt !== null && cutAt > now ? cutAt : toIntervalEnd(frequency, exportedUntil))

/** The full second at or after a time: names of files hold no parts of one. */
export const toFullSecond = (at: Date): Date => new Date(Math.ceil(at.getTime() / 1000) * 1000)

/** What the names of the files of an interval begin with: times to the second, without what some file systems refuse. */
export const toFilePrefix = ({ from, to }: Interval): string => `${toFileTime(from)}--${toFileTime(to)}`

const toFileTime = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(":", "-")}Z`
