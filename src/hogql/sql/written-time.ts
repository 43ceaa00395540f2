const WRITTEN_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Whether a text is a time that exists: 30 February does not. */
export function isWrittenTime(text: string): boolean {
  const [, date, time = "00:00"] = WRITTEN_TIME.exec(text) ?? []
  const atMs = date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(`${date}T`)
}
