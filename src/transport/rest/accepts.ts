import type { RestRoute } from "./rest-route.types.js"

const ALWAYS = ["application/json", "text/csv"]

/**
 * Whether an `Accept` header leaves room for any answer that a row can give (`reference/management.md` 1.1, status 406). A
 * header that is absent, or that is not one, does.
 */
export function isAcceptable(accept: string | undefined, { doc }: Pick<RestRoute, "doc">): boolean {
  const ranges = rangesOf(accept ?? "")
  if (ranges.length === 0) return true
  const offered = [...ALWAYS, ...(doc.alsoAs ?? [])]
  return ranges.some((range) => {
    if (range === "*/*") return true
    if (range.endsWith("/*")) return offered.some((mediaType) => mediaType.startsWith(range.slice(0, -1)))
    return offered.includes(range)
  })
}

/** Media ranges in lower case, without those that are ruled out by `q=0`. */
const rangesOf = (accept: string): string[] =>
  accept
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(";", 1)[0]?.trim() ?? "")
    .filter((range) => range.includes("/"))
