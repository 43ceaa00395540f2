import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { QueryReader } from "../insights/query-reader.js"
import { type Fields, KNOWN_FIELDS } from "./known-fields.js"

/**
 * Refuses fields that a query of its kind does not have, at any depth, and in the query that it names as its `source`: an
 * option that is misspelt or unknown would change nothing, and the answer would look as if it had.
 *
 * @throws AppError parse_error naming the field
 */
export function refuseUnknownFields(query: JsonObject, kind: string, path = kind): void {
  const fields = KNOWN_FIELDS[kind]
  if (fields !== undefined) checkObject(query, fields, path)
  const { source } = query
  if (isJsonObject(source) && typeof source.kind === "string")
    refuseUnknownFields(source, source.kind, `${path}.source`)
}

function checkObject(json: JsonObject, fields: Fields, path: string): void {
  for (const [name, value] of Object.entries(json)) {
    if (value === null) continue
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known === undefined) throw new QueryReader(json, path).fault(name, "is not known: it would have no effect")
    if (known !== true) checkValue(value, known, `${path}.${name}`)
  }
}

/** An object, or each of a list; anything else is refused where the field is read. */
function checkValue(value: Json, fields: Fields, path: string): void {
  if (isJsonObject(value)) checkObject(value, fields, path)
  if (Array.isArray(value))
    value.forEach((item, index) => {
      if (isJsonObject(item)) checkObject(item, fields, `${path}[${index}]`)
    })
}
