import { parse } from "../../../src/hogql/index.js"
import type { Query } from "../../../src/hogql/nodes/nodes.js"
import { readPublished } from "./published-parser.js"

/** Nodes whose end the published parser puts elsewhere: it leaves out OFFSET and a second alias. */
const LOOSE_PLACES: readonly unknown[] = ["select", "selectSet", "source"]

type Shape = unknown

/**
 * A tree without what the two parsers may differ in: NULLS FIRST/LAST and the point of 1.0, which the published one drops; the
 * order of windows, which it sorts; and places it does not tell (0 to 0).
 */
function comparable(ours: Shape, theirs: Shape): [Shape, Shape] {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const pairs = ours.map((item, index) => (index < theirs.length ? comparable(item, theirs[index]) : [item, item]))
    return [
      pairs.map((pair) => pair[0]),
      [...pairs.map((pair) => pair[1]).slice(0, theirs.length), ...theirs.slice(ours.length)],
    ]
  }
  // Its long whole numbers come as JSON, which our reader of it rounds.
  if (typeof ours === "bigint") return [Number(ours), theirs]
  if (!isRecord(ours) || !isRecord(theirs)) return [ours, theirs]
  const left: Record<string, Shape> = {}
  const right: Record<string, Shape> = {}
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (key === "at" && (LOOSE_PLACES.includes(ours.kind) || isNowhere(theirs[key]))) continue
    if (key === "nulls" || key === "isFraction") continue
    const sort = (value: Shape) => (key === "windows" && Array.isArray(value) ? value.toSorted(byName) : value)
    const [one, other] = comparable(sort(ours[key]), sort(theirs[key]))
    left[key] = one
    right[key] = other
  }
  return [left, right]
}

const isRecord = (value: Shape): value is Record<string, Shape> => typeof value === "object" && value !== null
const isNowhere = (at: Shape) => isRecord(at) && at.start === 0 && at.end === 0
const byName = (one: [string, unknown], other: [string, unknown]) => (one[0] < other[0] ? -1 : 1)

/** How our parser and the published one read a text: `[ours, theirs]`, equal when they agree; a refusal is `refused`. */
export async function bothReadings(text: string): Promise<[Shape, Shape]> {
  const ours = read(text)
  const theirs = await readPublished(text)
  if (ours === "refused" || typeof theirs === "string") return [ours, typeof theirs === "string" ? "refused" : theirs]
  return comparable(ours, theirs)
}

function read(text: string): Query | "refused" {
  try {
    return parse(text)
  } catch {
    return "refused"
  }
}
