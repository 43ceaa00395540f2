import { nodes } from "../../../hogql/index.js"
import type { Json, JsonObject } from "../../../kernel/json.js"
import { instant } from "../insights/buckets.js"
import { toInstantOf } from "../insights/date-range.js"
import { allOf } from "../insights/property-conditions.js"
import { QueryReader } from "../insights/query-reader.js"
import { parsed } from "../insights/shown-columns.js"
import { template } from "../insights/template.js"
import type { QueryKind, RunScope } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlResult, HogqlRunner } from "./hogql-runner.js"

const { call, compare, constant, field, tuple } = nodes

const MAX_EVENTS = 1000

/** Kind `SessionsTimelineQuery`: a person's events by session, the newest first (`reference/management.md` 7.8). */
export function createSessionsTimelineQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "SessionsTimelineQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "SessionsTimelineQuery")
      const found = await runner.runNodes(
        await template(
          `SELECT uuid, event, timestamp, distinct_id, properties, elements_chain, ifNull($session_id, '') AS session_id
           FROM events WHERE {where} ORDER BY timestamp DESC, uuid LIMIT {most}`,
          { where: conditions(reader, run), most: constant(MAX_EVENTS) },
        ),
        run,
      )
      const sessions = bySession(found.rows)
      const durations = await recordingDurations([...sessions.keys()], runner, run)
      const results = [...sessions].map(([sessionId, events]) => ({
        sessionId,
        events,
        recording_duration_s: durations.seconds.get(sessionId) ?? null,
      }))
      return answerOf(results, [found, ...durations.answers], { hasMore: found.hasMore })
    },
  }
}

function conditions(reader: QueryReader, run: RunScope) {
  const [personId, after, before] = [reader.text("personId"), reader.text("after"), reader.text("before")]
  return allOf([
    personId === null ? null : compare("==", field(["person_id"]), call("toUUID", [constant(personId)])),
    compare(">", field(["timestamp"]), instant(toInstantOf(after || "-24h", run))),
    before ? compare("<", field(["timestamp"]), instant(toInstantOf(before, run))) : null,
  ])
}

/** Events of one session together, in the order of their newest; those without a session under "". */
function bySession(rows: readonly (readonly Json[])[]): Map<string, JsonObject[]> {
  const sessions = new Map<string, JsonObject[]>()
  for (const [
    id = null,
    event = null,
    timestamp = null,
    distinctId = null,
    properties,
    chain = null,
    session,
  ] of rows) {
    const events = sessions.get(String(session)) ?? []
    sessions.set(String(session), events)
    const shown = { id, event, timestamp, distinct_id: distinctId, properties: parsed(properties) }
    events.push({ ...shown, elements_chain: chain, elements: [] })
  }
  return sessions
}

async function recordingDurations(sessionIds: readonly string[], runner: HogqlRunner, run: RunScope) {
  const ids = sessionIds.filter((id) => id !== "")
  const answers: HogqlResult[] = []
  if (ids.length > 0)
    answers.push(
      await runner.runNodes(
        await template(
          `SELECT session_id, dateDiff('second', start_time, end_time) FROM session_replay_events WHERE session_id IN {ids}`,
          { ids: tuple(ids.map((id) => constant(id))) },
        ),
        run,
      ),
    )
  const rows = answers.flatMap((answer) => answer.rows)
  return { answers, seconds: new Map(rows.map(([id, seconds]) => [String(id), Number(seconds)])) }
}
