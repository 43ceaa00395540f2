import { readFileSync, statSync } from "node:fs"

const headings = new Map<string, ReadonlySet<string>>()

/** `Size limits` as `size-limits`, as GitHub makes anchors. */
const toAnchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** Anchors of the headings of a Markdown text. */
export function readAnchors(markdown: string): ReadonlySet<string> {
  const withoutCode = markdown.replace(/^```.*?^```/gms, "")
  return new Set([...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading)))
}

/** Whether there is such a file or folder and, when an anchor is given, such a heading in it. */
export function isThere(path: string, anchor?: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return false
  if (anchor === undefined) return true
  const known = headings.get(path) ?? readAnchors(readFileSync(path, "utf8"))
  headings.set(path, known)
  return known.has(anchor)
}
