import { type Expression, nodes } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { readInstant } from "../insights/date-range.js"
import { joinWithAnd } from "../insights/property-conditions.js"
import type { QueryReader } from "../insights/query-reader.js"
import { parseObject } from "../insights/shown-columns.js"
import { template } from "../insights/template.js"
import type { RunScope } from "../queries.types.js"
import { toAnswer } from "./answer.js"
import type { HogqlResult, KindContext } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"

const { call, compare, constant, field, tuple } = nodes

const MAX_EVENTS = 1000

/**
 * Kind `SessionsTimelineQuery`: a person's events by session, the newest first
 * (`docs/contract/queries.md#sessionstimelinequery`).
 */
export const sessionsTimelineQuery: KindDefinition = {
  kind: "SessionsTimelineQuery",
  async answer(reader, context) {
    const found = await context.select(
      template(
        `SELECT uuid, event, timestamp, distinct_id, properties, elements_chain, ifNull($session_id, '') AS session_id
         FROM events WHERE {where} ORDER BY timestamp DESC, uuid LIMIT {most}`,
        { where: readConditions(reader, context.run), most: constant(MAX_EVENTS) },
      ),
    )
    const sessions = groupBySession(found.rows)
    const recorded = await selectRecordings([...sessions.keys()], context)
    const durations = new Map(recorded?.rows.map(([id, seconds]) => [String(id), Number(seconds)]))
    const results = [...sessions].map(([sessionId, events]) => ({
      sessionId,
      events,
      recording_duration_s: durations.get(sessionId) ?? null,
    }))
    return toAnswer(results, recorded === null ? [found] : [found, recorded], { hasMore: found.hasMore })
  },
}

function readConditions(reader: QueryReader, run: RunScope): Expression {
  const [personId, after, before] = [reader.text("personId"), reader.text("after"), reader.text("before")]
  return joinWithAnd([
    personId === null ? null : compare("==", field(["person_id"]), call("toUUID", [constant(personId)])),
    compare(">", field(["timestamp"]), instant(readInstant(after || "-24h", run))),
    before ? compare("<", field(["timestamp"]), instant(readInstant(before, run))) : null,
  ])
}

/** Events of one session together, in the order of their newest; those without a session under "". */
function groupBySession(rows: readonly (readonly Json[])[]): Map<string, JsonObject[]> {
  const sessions = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const [id = null, event = null, timestamp = null, distinct_id = null, properties, elements_chain = null] = row
    const session = String(row[6])
    const events = sessions.get(session) ?? []
    sessions.set(session, events)
    events.push({
      id,
      event,
      timestamp,
      distinct_id,
      properties: parseObject(properties),
      elements_chain,
      elements: [],
    })
  }
  return sessions
}

/** Rows `(session, seconds)` of the sessions that were recorded; null when there is none to ask for. */
async function selectRecordings(sessionIds: readonly string[], context: KindContext): Promise<HogqlResult | null> {
  const ids = sessionIds.filter((id) => id !== "")
  if (ids.length === 0) return null
  return context.select(
    template(
      `SELECT session_id, dateDiff('second', start_time, end_time) FROM session_replay_events WHERE session_id IN {ids}`,
      { ids: tuple(ids.map((id) => constant(id))) },
    ),
  )
}
