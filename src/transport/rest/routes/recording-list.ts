import type { JsonObject } from "../../../kernel/json.js"
import { BOOLEAN, type JsonSchema, toObjectSchema } from "../../../kernel/json-schema.js"
import { toEnvelope } from "../paging-links.js"
import { readWindow } from "../read-query.js"
import { RECORDING } from "../resources/recording.js"
import type { RestRequest } from "../rest-route.types.js"
import { toListSchema } from "../schemas.js"

/** Recordings are heavier than other items, so a page has fewer (`docs/contract/management.md#paging`). */
const DEFAULT_LIMIT = 50

/** `limit` and `offset` of a list of recordings, as `readWindow`. */
export const readRecordingWindow = (query: URLSearchParams) => readWindow(query, DEFAULT_LIMIT)

/** A page of recordings as the operations answer it. */
export interface RecordingPage {
  readonly totalCount: number
  readonly nodes: readonly JsonObject[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

/** GraphQL fields of `RecordingPage`. */
export const RECORDING_PAGE_FIELDS = `totalCount nodes { ${RECORDING.selection} } pageInfo { hasNextPage }`

/**
 * The envelope of a list of recordings, which also says `has_next` as some clients ask
 * (`docs/contract/recordings.md#list-of-recordings`).
 */
export const toRecordingEnvelope = (request: RestRequest, { totalCount, nodes, pageInfo }: RecordingPage) => ({
  ...toEnvelope(request, readRecordingWindow(request.query), totalCount, nodes.map(RECORDING.show)),
  has_next: pageInfo.hasNextPage,
})

const ENVELOPE = toListSchema(RECORDING.schema)

/** JSON Schema of a list of recordings. */
export const RECORDING_LIST: JsonSchema = {
  ...ENVELOPE,
  properties: { ...toObjectSchema(ENVELOPE.properties as Record<string, JsonSchema>).properties, has_next: BOOLEAN },
}
