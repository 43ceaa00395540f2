/** Parts of user agents by what they stand for; the first that is found counts: many say that they are others too. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" }
const SYSTEMS = {
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Windows: "Windows",
  "Mac OS X": "macOS",
  Linux: "Linux",
}

/** What a browser calls itself in few words: `Firefox on Linux`. */
export function nameBrowser(userAgent: string): string {
  const find = (names: Readonly<Record<string, string>>): string | undefined =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1]
  const browser = find(BROWSERS) ?? "Unknown browser"
  const system = find(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}
