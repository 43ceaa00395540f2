import { ANY_OBJECT, INTEGER, type JsonSchema, NULLABLE_TEXT, TEXT, toObjectSchema } from "../../kernel/json-schema.js"

/** The envelope of a list of `items`. */
export const toListSchema = (items: JsonSchema): JsonSchema =>
  toObjectSchema(
    {
      count: INTEGER,
      next: { type: ["string", "null"], format: "uri" },
      previous: { type: ["string", "null"], format: "uri" },
      results: { type: "array", items },
    },
    ["count", "next", "previous", "results"],
  )

/** Body of every fault. */
export const ERROR: JsonSchema = toObjectSchema(
  { type: TEXT, code: TEXT, detail: TEXT, attr: NULLABLE_TEXT, extra: ANY_OBJECT },
  ["type", "code", "detail", "attr"],
)
