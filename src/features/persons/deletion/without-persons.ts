import { isJsonObject, type Json } from "../../../kernel/json.js"

/** Properties in which conditions name single persons, by an address or an id. */
const NAMING_KEYS: ReadonlySet<string> = new Set([
  "email",
  "$email",
  "distinct_id",
  "$distinct_id",
  "$user_id",
  "user_id",
])
/** Stands where a condition named somebody: nobody has it, so the condition means what it meant without that person. */
const ERASED = "deleted person"

/**
 * Conditions, anywhere in a document, without the persons that they name by one of these texts (in lower case) as a whole. A text
 * that only occurs in another one, or as the value of another property, stays: it is no name.
 * @returns the document itself when it names none of them.
 */
export function withoutPersons(document: Json, texts: ReadonlySet<string>): Json {
  if (Array.isArray(document)) return changed(document, (item) => withoutPersons(item, texts)) ?? document
  if (!isJsonObject(document)) return document
  const isNaming = typeof document.key === "string" && NAMING_KEYS.has(document.key)
  const entries = Object.entries(document)
  const values = changed(
    entries.map(([, value]) => value),
    (value, index) =>
      isNaming && entries[index]?.[0] === "value" ? eraseNames(value, texts) : withoutPersons(value, texts),
  )
  return values === null ? document : Object.fromEntries(entries.map(([name], index) => [name, values[index] ?? null]))
}

function eraseNames(value: Json, texts: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return changed(value, (item) => eraseNames(item, texts)) ?? value
  return typeof value === "string" && texts.has(value.toLowerCase()) ? ERASED : value
}

/** The items after a change; null when it changed none of them. */
function changed(items: readonly Json[], change: (item: Json, index: number) => Json): Json[] | null {
  const after = items.map(change)
  return after.some((item, index) => item !== items[index]) ? after : null
}
