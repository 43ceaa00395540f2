import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import { readFields, textList } from "../body-fields.js"
import { defineRoute } from "../define-route.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"

const BULK_REQUEST = toObjectSchema(
  { session_recording_ids: { type: "array", items: TEXT, minItems: 1, maxItems: 20 } },
  ["session_recording_ids"],
)

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
    variables: (request: RestRequest) => ({
      projectId: request.params.project_id,
      shortId: request.params.short_id,
      ids: toRecordingIds(request),
    }),
    reply: ({ count }: { count: number }, request) => ({
      status: 200,
      body: { success: true, [countName]: count, total_requested: toRecordingIds(request).length },
    }),
    doc: {
      summary,
      source,
      requestSchema: BULK_REQUEST,
      responseSchema: toObjectSchema({ success: BOOLEAN, [countName]: INTEGER, total_requested: INTEGER }),
    },
  })
}

/** Ids of the body; the operation limits their number. */
const toRecordingIds = ({ body }: RestRequest): string[] =>
  readFields(body, { session_recording_ids: ["ids", textList] }).ids ?? []
