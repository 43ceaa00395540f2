/** `2026-11-01`, or with a time of day behind it where intervals are hours or less. */
const WITH_TIME = /^\d{4}-\d\d-\d\d[ T]\d/

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" })
const HOUR = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  timeZone: "UTC",
})

/**
 * The begin of an interval in the reader's language. It is in the project's zone already. What is no day stays as it
 * is.
 */
export function writeDay(day: string): string {
  const withTime = WITH_TIME.test(day)
  const date = new Date(`${day.slice(0, withTime ? 19 : 10).replace(" ", "T")}${withTime ? "Z" : ""}`)
  if (Number.isNaN(date.getTime())) return day
  return (withTime ? HOUR : DAY).format(date)
}
