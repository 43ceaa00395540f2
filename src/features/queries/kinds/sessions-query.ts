import { type Expression, type HogqlScope, nodes, parseExpression } from "../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { readInstant } from "../insights/date-range.js"
import { filterCondition, joinWithAnd } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { matchesAction, readAction } from "../insights/series.js"
import { toSessionColumn } from "../insights/shown-columns.js"
import { template } from "../insights/template.js"
import type { RunScope } from "../queries.types.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { answerTable, MAX_COLUMNS, type RowTable, timeConditions } from "./table-select.js"

const { call, compare, constant, field } = nodes

const SESSIONS: RowTable = {
  table: "sessions",
  time: "$start_timestamp",
  key: "session_id",
  toColumn: toSessionColumn,
}

/** Kind `SessionsQuery`: a table of sessions, or of aggregates over them (`docs/contract/queries.md#sessionsquery`). */
export const sessionsQuery: KindDefinition = {
  kind: "SessionsQuery",
  answer: async (reader, context) =>
    answerTable(reader, SESSIONS, readConditions(reader, await context.hogqlScope(), context.run), context),
}

/** Filters about sessions are tested on the session; all others on one of its events, which must fit all of them. */
function readConditions(reader: QueryReader, scope: HogqlScope, run: RunScope): Expression[] {
  const written = (reader.strings("where", { max: MAX_COLUMNS }) ?? []).map(parseExpression)
  const filters = ["properties", "fixedProperties"].flatMap((name) => listFilters(reader.value(name)))
  const ofSession = filterCondition(filters.filter(isOfSession), SESSIONS.table)
  const ofEvent = eventConditions(
    reader,
    filters.filter((filter) => !isOfSession(filter)),
    scope,
  )
  return [
    ...written,
    ...(ofSession === null ? [] : [ofSession]),
    ...(ofEvent.length === 0 ? [] : [hasEvent(reader, ofEvent, run)]),
    ...timeConditions(reader, SESSIONS.time, run),
  ]
}

/** The filters that must all hold. */
const listFilters = (filters: Json): Json[] => (Array.isArray(filters) ? filters : filters === null ? [] : [filters])

/** Whether a filter, or all of a group, is about the session itself. */
function isOfSession(filter: Json): boolean {
  if (Array.isArray(filter)) return filter.every(isOfSession)
  if (!isJsonObject(filter)) return false
  return Array.isArray(filter.values) ? filter.values.every(isOfSession) : filter.type === "session"
}

function eventConditions(reader: QueryReader, filters: Json[], scope: HogqlScope): Expression[] {
  const event = reader.text("event")
  const personId = reader.text("personId")
  const testAccounts = reader.flag("filterTestAccounts") ? [...(scope.testAccountFilters ?? [])] : null
  const filtered = [filters, reader.value("eventProperties"), testAccounts].map((filter) => filterCondition(filter))
  return [
    event === null ? null : compare("==", field(["event"]), constant(event)),
    reader.value("actionId") === null ? null : matchesAction(readAction(reader, "actionId", scope).id),
    personId === null ? null : compare("==", field(["person_id"]), call("toUUID", [constant(personId)])),
    ...filtered,
  ].filter((condition) => condition !== null)
}

/** Sessions with an event that fits; those that began after `after` have no event before it. */
function hasEvent(reader: QueryReader, conditions: readonly Expression[], run: RunScope): Expression {
  const after = reader.text("after") ?? "-24h"
  const isLate = after === "all" ? null : compare(">", field(["timestamp"]), instant(readInstant(after, run)))
  const fits = joinWithAnd([...conditions, isLate])
  return compare(
    "in",
    field(["session_id"]),
    template("SELECT DISTINCT $session_id FROM events WHERE $session_id IS NOT NULL AND {fits}", { fits }),
  )
}
