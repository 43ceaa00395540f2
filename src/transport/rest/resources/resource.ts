import type { Json, JsonObject } from "../../../kernel/json.js"
import { type JsonSchema, type ObjectSchema, toObjectSchema } from "../../../kernel/json-schema.js"
import { type BodyShape, defineBody, type FieldReader, toCamelCase } from "../body-fields.js"
import { COMES_FROM } from "../components.js"

/** One field of a resource: how it is documented, where it comes from, and how it is read. */
export interface ResourceField {
  /** Null for a field that clients expect and that has no counterpart here: it is shown and not documented. */
  readonly schema: JsonSchema | null
  /** The GraphQL field it comes from; the name on the wire in camel case when absent. */
  readonly from?: string
  /** What of that field is asked for, where it is an object. */
  readonly selection?: string
  /** How its value is shown; as it is when absent. */
  readonly show?: (value: Json) => Json
  /** A value that is always the same and comes from no GraphQL field. */
  readonly always?: Json
  /** Reads it from a body; absent where callers cannot write it. */
  readonly read?: FieldReader<unknown>
  /** What callers may write, where that is not what they are shown. */
  readonly writtenAs?: JsonSchema
}

/** What REST knows of one kind of thing, all of it made of one list of fields. */
export interface Resource {
  /** Of the object as it is shown, under its name; texts of its fields are those of the GraphQL type. */
  readonly schema: ObjectSchema
  /** The fields that callers may write; read by their GraphQL names. */
  readonly input: BodyShape<Readonly<Record<string, unknown>>>
  /** The GraphQL fields that `show` needs. */
  readonly selection: string
  /** Makes the object on the wire of what GraphQL answers, with the keys in the order of the list. */
  show(data: Readonly<Record<string, unknown>>): JsonObject
}

/**
 * @param names of the resource in the OpenAPI document, and of the GraphQL type that it shows.
 * @param fields by their names on the wire.
 */
export function defineResource(
  [title, type]: readonly [title: string, type: string],
  fields: Readonly<Record<string, ResourceField>>,
): Resource {
  const all = Object.entries(fields).map(([name, field]) => ({
    ...field,
    name,
    source: field.from ?? toCamelCase(name),
  }))
  const documented = all.flatMap(({ name, schema, source, always }) =>
    schema === null ? [] : [[name, always === undefined ? { ...schema, [COMES_FROM]: `${type}.${source}` } : schema]],
  )
  const input = all.flatMap(({ name, source, schema, read, writtenAs = schema }) =>
    read === undefined || writtenAs === null
      ? []
      : [[name, { schema: { ...writtenAs, [COMES_FROM]: `${type}.${source}` }, as: source, read }] as const],
  )
  const selected = all.flatMap(({ source, selection, always }) =>
    always !== undefined ? [] : [selection === undefined ? source : `${source} { ${selection} }`],
  )
  return {
    schema: { title, ...toObjectSchema(Object.fromEntries(documented)) },
    input: defineBody(Object.fromEntries(input)),
    selection: [...new Set(selected)].join(" "),
    show: (data) =>
      Object.fromEntries(
        all.map(({ name, source, always, show }) => {
          const value = always === undefined ? ((data[source] ?? null) as Json) : always
          return [name, show === undefined ? value : show(value)]
        }),
      ),
  }
}

/** A field that is another resource; null where there is none. */
export const nested = (resource: Resource) => ({
  schema: { anyOf: [resource.schema, { type: "null" }] },
  selection: resource.selection,
  show: (value: Json) => (value === null ? null : resource.show(value as JsonObject)),
})

/** A field that is a list of another resource. */
export const nestedList = (resource: Resource) => ({
  schema: { type: "array", items: resource.schema },
  selection: resource.selection,
  show: (value: Json) => (value as JsonObject[]).map(resource.show),
})
