import type { QueryParameterDoc } from "../../../kernel/direct-route.types.js"
import { type Json, parseJson } from "../../../kernel/json.js"
import { ANY_JSON, BOOLEAN, TEXT } from "../../../kernel/json-schema.js"
import type { QueryShape } from "../query-parameters.js"

const PARAMETERS: readonly QueryParameterDoc[] = [
  { name: "date_from", description: "Started at or after this; `-3d` when absent.", schema: TEXT },
  { name: "date_to", description: "Started at or before this.", schema: TEXT },
  { name: "session_ids", description: "JSON array: only these, in this order, whenever they started.", schema: TEXT },
  { name: "person_uuid", description: "Only recordings of this person.", schema: TEXT },
  { name: "distinct_ids", description: "JSON array: only recordings with data of one of these.", schema: TEXT },
  { name: "events", description: "JSON array of `{id, properties}`: events of the session.", schema: ANY_JSON },
  {
    name: "properties",
    description:
      "JSON array of property filters, or a group `{type: OR, values}`: of type event, person, group, cohort, session, recording, log_entry or hogql. What is denied holds for no event of the session.",
    schema: ANY_JSON,
  },
  { name: "having_predicates", description: "JSON array of `{key, operator, value}` on counters.", schema: ANY_JSON },
  { name: "console_log_filters", description: "JSON array on `level` or `message` of the console.", schema: ANY_JSON },
  { name: "operand", description: "AND (all of the last four) or OR (one is enough).", schema: TEXT },
  { name: "filter_test_accounts", description: "true leaves the project's test accounts out.", schema: BOOLEAN },
  { name: "order", description: "start_time, recording_duration or a counter.", schema: TEXT },
  { name: "order_direction", description: "DESC or ASC.", schema: TEXT },
]

/** `actions` is taken, to be refused by the operation, and not documented. */
const NAMES = [...PARAMETERS.map(({ name }) => name), "actions"]

/**
 * Fields of a `RecordingsQuery` that a list takes as query parameters (`docs/contract/recordings.md#recordings-query`): each
 * is read as JSON where it is JSON, else as text. The operation checks what they mean.
 */
export const RECORDINGS_QUERY: QueryShape = {
  docs: PARAMETERS,
  read: ({ query }) => {
    const given = NAMES.map((name) => [name, decode(query.get(name))] as const)
    return { recordingsQuery: Object.fromEntries(given.filter(([, value]) => value !== null)) }
  },
}

function decode(text: string | null): Json {
  if (text === null || text === "") return null
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
