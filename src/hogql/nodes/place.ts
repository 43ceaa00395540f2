import type { Span } from "./nodes.js"

/**
 * Gives nodes that were made without a place that of what they stand for, so that a fault in them shows it. Nodes that have
 * a place of their own keep it, and all that is in them.
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
