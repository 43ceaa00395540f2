import type { JsonObject } from "../../../kernel/json.js"

/** Of one person in one event (`docs/contract/capture.md#person-properties-in-events`). */
const MAX_COPY_CHARACTERS = 16_384
/** Of a property beside its name and value: quotes, colon and comma. */
const PUNCTUATION = 4

/**
 * JSON of a person's properties as each of their events carries it: all of them, or the smallest ones when all are too large. What
 * is left out depends on the properties alone, so a replay writes the same row.
 * @param propertiesJson the JSON of `properties`.
 */
export function toEventCopy(properties: JsonObject, propertiesJson: string): string {
  if (propertiesJson.length <= MAX_COPY_CHARACTERS) return propertiesJson
  const sizes = Object.entries(properties).map(
    ([name, value]) => [name, name.length + JSON.stringify(value).length + PUNCTUATION] as const,
  )
  const kept = new Set<string>()
  let left = MAX_COPY_CHARACTERS
  for (const [name, size] of sizes.sort(([, one], [, other]) => one - other)) {
    left -= size
    if (left < 0) break
    kept.add(name)
  }
  return JSON.stringify(Object.fromEntries(Object.entries(properties).filter(([name]) => kept.has(name))))
}
