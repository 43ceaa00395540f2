/** A stretch of time as players write it: `m:ss`, or `h:mm:ss` from an hour on. */
export function toClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const pad = (part: number) => String(part).padStart(2, "0")
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours === 0 ? `${minutes}:${pad(seconds % 60)}` : `${hours}:${pad(minutes)}:${pad(seconds % 60)}`
}
