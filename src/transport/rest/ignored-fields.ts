import { isJsonObject, type Json } from "../../kernel/json.js"
import type { JsonSchema } from "../../kernel/json-schema.js"

/** The header that names what of a body counted for nothing (`docs/contract/management.md#bodies-of-management`). */
export const IGNORED_FIELDS = "Waymark-Ignored-Fields"

/** A header has to stay small, whatever a body holds. */
const MAX_NAMED = 20
const MAX_NAME_LENGTH = 100

/** Every body may hold the key (`docs/contract/management.md#keys`). */
const KEY_FIELD = "personal_api_key"

/** The names of fields that bodies of these schemas have. */
export const listFieldNames = (...schemas: readonly (JsonSchema | undefined)[]): string[] =>
  schemas.flatMap((schema) => Object.keys(schema?.properties ?? {}))

/**
 * The value of the header for a body: its fields besides these, percent-encoded and separated by commas, with `...`
 * where there are more than 20. Null when there is nothing to name.
 */
export function nameIgnoredFields(body: Json | undefined, known: readonly string[]): string | null {
  if (body === undefined || !isJsonObject(body)) return null
  const ignored = Object.keys(body).filter((name) => name !== KEY_FIELD && !known.includes(name))
  if (ignored.length === 0) return null
  const named = ignored
    .slice(0, MAX_NAMED)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
  return [...named, ...(ignored.length > MAX_NAMED ? ["..."] : [])].join(", ")
}
