import { ANY_OBJECT, INTEGER, type JsonSchema, NULLABLE_TEXT, TEXT, toObjectSchema } from "../../kernel/json-schema.js"

/** The envelope of a list of `items`, called after them where they have a title. */
export const toListSchema = (items: JsonSchema): JsonSchema => ({
  ...(typeof items.title === "string" && { title: `${items.title}Page` }),
  ...toObjectSchema(
    {
      count: INTEGER,
      next: { type: ["string", "null"], format: "uri" },
      previous: { type: ["string", "null"], format: "uri" },
      results: { type: "array", items },
    },
    ["count", "next", "previous", "results"],
  ),
})

/** Body of every fault. */
export const ERROR: JsonSchema = {
  title: "Error",
  ...toObjectSchema({ type: TEXT, code: TEXT, detail: TEXT, attr: NULLABLE_TEXT, extra: ANY_OBJECT }, [
    "type",
    "code",
    "detail",
    "attr",
  ]),
}
