import { BOOLEAN, INTEGER, TEXT, toObjectSchema } from "../../../kernel/json-schema.js"
import type { Reply } from "../../../kernel/reply.js"
import { defineBody, textList } from "../body-fields.js"
import type { DataOf } from "../define-route.js"
import type { RestRequest } from "../rest-route.types.js"

/** The operation limits the number of ids, none included. */
const BULK = defineBody({
  session_recording_ids: {
    schema: { type: "array", items: TEXT, minItems: 1, maxItems: 20 },
    as: "ids",
    read: textList,
  },
})

const readIds = ({ body }: RestRequest): string[] => BULK.read(body).ids ?? []

/**
 * What a row has that names recordings in its body and answers how many of them were changed: its operation's `count`.
 * @param variable the one that holds the ids.
 * @param countName name of the count in the answer, as clients of the path know it.
 * @param others variables that are the same for every request.
 */
export const bulk = (variable: string, countName: string, others: object = {}) => ({
  takes: "json" as const,
  variables: (request: RestRequest) => ({ [variable]: readIds(request), ...others }),
  reply: ({ count }: DataOf<"session_recordings_bulk_delete">, request: RestRequest): Reply => ({
    status: 200,
    body: { success: true, [countName]: count, total_requested: readIds(request).length },
  }),
  requestSchema: toObjectSchema(BULK.properties, Object.keys(BULK.properties)),
  responseSchema: toObjectSchema({ success: BOOLEAN, [countName]: INTEGER, total_requested: INTEGER }),
})
