/** Whether an `Accept` header leaves room for any of these media types. A header that is absent, or that is not one, does. */
export function isAcceptable(accept: string | undefined, offered: readonly string[]): boolean {
  const ranges = rangesOf(accept ?? "")
  if (ranges.length === 0) return true
  return ranges.some((range) => {
    if (range === "*/*") return true
    if (range.endsWith("/*")) return offered.some((mediaType) => mediaType.startsWith(range.slice(0, -1)))
    return offered.includes(range)
  })
}

/** How much an `Accept` header wants a media type that it names: 0 to 1, 0 when it does not name it. */
export const namedQuality = (accept: string | undefined, mediaType: string): number =>
  Math.max(
    0,
    ...rangesWithQuality(accept ?? "").flatMap(({ range, quality }) => (range === mediaType ? [quality] : [])),
  )

/** Media ranges in lower case, without those that are ruled out by `q=0`. */
const rangesOf = (accept: string): string[] =>
  rangesWithQuality(accept).flatMap(({ range, quality }) => (quality > 0 ? [range] : []))

function rangesWithQuality(accept: string): { readonly range: string; readonly quality: number }[] {
  return accept
    .toLowerCase()
    .split(",")
    .map((part) => {
      const quality = /;\s*q=([01](?:\.\d*)?)\s*$/.exec(part)?.[1]
      return { range: part.split(";", 1)[0]?.trim() ?? "", quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ range }) => range.includes("/"))
}
