import type { Span } from "./nodes.js"

/**
 * Gives nodes without a place the place of what they stand for, so that errors in them point there. Nodes with a place of their
 * own are left as they are, with all that is in them.
 */
export function placeAt<Part>(part: Part, at: Span): Part {
  if (typeof part !== "object" || part === null) return part
  if (Array.isArray(part)) return part.map((item) => placeAt(item, at)) as Part
  const isPlaced = "at" in part && isPlace(part.at) && part.at.end > 0
  if (isPlaced) return part
  const entries = Object.entries(part).map(([key, value]) => [key, key === "at" ? at : placeAt(value, at)])
  return Object.fromEntries(entries)
}

const isPlace = (at: unknown): at is Span => typeof at === "object" && at !== null && "start" in at && "end" in at
