import Negotiator from "negotiator"

/**
 * The media ranges that an `Accept` header asks for, best first, in lower case and without parameters; those that `q=0` rules
 * out are left out. Empty for what is no such header.
 */
export const acceptedRanges = (accept: string | undefined): string[] =>
  new Negotiator({ headers: { accept } }).mediaTypes().map((range) => range.toLowerCase())

/** Whether an `Accept` header leaves room for any of these media types. A header that is absent, or that is not one, does. */
export function isAcceptable(accept: string | undefined, offered: readonly string[]): boolean {
  const ranges = acceptedRanges(accept)
  return ranges.length === 0 || ranges.some((range) => offered.some((mediaType) => isInRange(mediaType, range)))
}

function isInRange(mediaType: string, range: string): boolean {
  if (range === "*/*") return true
  return range.endsWith("/*") ? mediaType.startsWith(range.slice(0, -1)) : mediaType === range
}
