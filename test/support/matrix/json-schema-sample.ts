import type { JsonSchema } from "../../../src/kernel/json-schema.js"

let texts = 0

/** A text that no record has yet, because many names must be unique. */
export const newText = (): string => `text${++texts}`

/** A small value that fits a JSON Schema as our documents use them: of an object, the required properties only. */
export function sampleOf(schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return undefined
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [type] = [schema.type].flat()
  if (type === "object") {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
    const required = (schema.required ?? []) as string[]
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]))
  }
  if (type === "array") return []
  if (type === "integer" || type === "number") return 1
  if (type === "boolean") return false
  if (type === "null") return null
  if (schema.format === "uuid") return "00000000-0000-4000-8000-000000000000"
  if (schema.format === "date-time") return "2024-03-01T00:00:00Z"
  return type === "string" ? newText() : {}
}
