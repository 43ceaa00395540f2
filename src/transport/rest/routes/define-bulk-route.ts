import type { Json } from "../../../kernel/json.js"
import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { defineBody, textList } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"

/** The operation limits the number of ids, none included. */
const BULK = defineBody({
  session_recording_ids: {
    schema: { type: "array", items: TEXT, minItems: 1, maxItems: 20 },
    as: "ids",
    read: textList,
  },
})

/** A row about several recordings. */
export interface BulkRoute {
  readonly id: string
  readonly path: string
  readonly scope: string
  /** Mutation that takes the ids as `$ids` and answers `count`. */
  readonly operation: string
  /** Name of the count in the answer, as clients of the path know it. */
  readonly countName: string
  readonly summary: string
  /** Section of the reference that names the row. */
  readonly source: string
}

/** A row that names recordings in its body and answers how many of them were changed. */
export function defineBulkRoute({ countName, summary, source, ...row }: BulkRoute): RestRoute {
  return defineRoute({
    ...row,
    method: "POST",
    body: "json",
    variables: ({ body }) => ({ ids: toIds(body) }),
    reply: ({ count }: { count: number }, { body }) => ({
      status: 200,
      body: { success: true, [countName]: count, total_requested: toIds(body).length },
    }),
    doc: {
      summary,
      source,
      requestSchema: toObjectSchema(BULK.properties, Object.keys(BULK.properties)),
      responseSchema: toObjectSchema({ success: BOOLEAN, [countName]: INTEGER, total_requested: INTEGER }),
    },
  })
}

const toIds = (body: Json): string[] => BULK.read(body).ids ?? []
