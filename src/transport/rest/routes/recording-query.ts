import { type Json, type JsonObject, parseJson } from "../../../kernel/json.js"

/**
 * Fields of a `RecordingsQuery` that a list takes as query parameters (`docs/contract/recordings.md#recordings-query`).
 */
const FIELDS = [
  "date_from",
  "date_to",
  "session_ids",
  "distinct_ids",
  "person_uuid",
  "events",
  "actions",
  "properties",
  "console_log_filters",
  "having_predicates",
  "filter_test_accounts",
  "operand",
  "order",
  "order_direction",
] as const

/**
 * Reads the parameters of a recordings list: each as JSON where it is JSON, else as text. The operation checks what
 * they mean.
 */
export function readRecordingsQuery(query: URLSearchParams): JsonObject {
  const given = FIELDS.map((name) => [name, decode(query.get(name))] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== null))
}

function decode(text: string | null): Json {
  if (text === null || text === "") return null
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
