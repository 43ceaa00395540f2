import { type Expression, type HogqlScope, nodes, parseExpression } from "../../../hogql/index.js"
import { queryConditions } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { matchesAction, readAction } from "../insights/series.js"
import { toEventColumn } from "../insights/shown-columns.js"
import type { RunScope } from "../queries.types.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { answerTable, MAX_COLUMNS, type RowTable, timeConditions } from "./table-select.js"

const { call, compare, constant, field } = nodes

const EVENTS: RowTable = { table: "events", time: "timestamp", key: "uuid", toColumn: toEventColumn }

/** Kind `EventsQuery`: a table of events, or of aggregates over them (`docs/contract/queries.md#eventsquery`). */
export const eventsQuery: KindDefinition = {
  kind: "EventsQuery",
  answer: async (reader, context) =>
    answerTable(reader, EVENTS, readConditions(reader, await context.hogqlScope(), context.run), context),
}

function readConditions(reader: QueryReader, scope: HogqlScope, run: RunScope): Expression[] {
  const written = (reader.strings("where", { max: MAX_COLUMNS }) ?? []).map(parseExpression)
  const conditions = [...written, ...queryConditions(reader, scope)]
  const [event, personId] = [reader.text("event"), reader.text("personId")]
  if (reader.value("actionId") !== null) conditions.push(matchesAction(readAction(reader, "actionId", scope).id))
  if (event !== null) conditions.push(compare("==", field(["event"]), constant(event)))
  if (personId !== null) conditions.push(compare("==", field(["person_id"]), call("toUUID", [constant(personId)])))
  return [...conditions, ...timeConditions(reader, EVENTS.time, run)]
}
