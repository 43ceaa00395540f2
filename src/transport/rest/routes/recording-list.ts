import { BOOLEAN, type JsonSchema, toObjectSchema } from "../../../kernel/json-schema.js"
import { RECORDINGS_PAGE_SIZE } from "../../../kernel/paging.js"
import type { Reply } from "../../../kernel/reply.js"
import type { DataOf } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { definePaging } from "../query-parameters.js"
import { readWindow } from "../read-query.js"
import { RECORDING } from "../resources/recording.js"
import type { RestRequest } from "../rest-route.types.js"
import { toListSchema } from "../schemas.js"

export const RECORDING_PAGING = definePaging(RECORDINGS_PAGE_SIZE)

const ENVELOPE = toListSchema(RECORDING.schema)

/**
 * What a list of recordings is: besides the envelope of every list it says `has_next`, as some clients ask
 * (`docs/contract/recordings.md#list-of-recordings`).
 */
export const recordingList = (field: string) => ({
  operation: `{ page: ${field} { totalCount nodes { ${RECORDING.selection} } pageInfo { hasNextPage } } }`,
  reply: (
    { page: { totalCount, nodes, pageInfo } }: DataOf<"session_recordings_list">,
    request: RestRequest,
  ): Reply => {
    const window = readWindow(request.query, RECORDINGS_PAGE_SIZE)
    const envelope = toEnvelope(request, window, totalCount, nodes.map(RECORDING.show))
    return { status: 200, body: { ...envelope, has_next: pageInfo.hasNextPage } }
  },
  responseSchema: {
    ...ENVELOPE,
    properties: { ...toObjectSchema(ENVELOPE.properties as Record<string, JsonSchema>).properties, has_next: BOOLEAN },
  },
})
