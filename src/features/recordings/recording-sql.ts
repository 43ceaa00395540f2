import type { ProjectId } from "../../kernel/ids.js"
import { DAY_MS } from "../../kernel/retention-days.js"
import type { QueryParameters } from "../../platform/clickhouse/click-house.js"
import type { RangeColumn } from "../../platform/clickhouse/sql-range.js"
import type { BoundSelect, SessionTest } from "./filter/session-test.types.js"
import type { RecordingMeasure } from "./recording-measure.js"
import type { RecordingOrder } from "./recordings.types.js"

/** Recorders end a session after 24 hours, so its rows lie within a day of each other. */
const MAX_SESSION_MS = DAY_MS

/** The columns of the statement that `toRecordingsSql` writes, as `StoredRecording` has them. */
const COLUMNS = `
  r.session_id AS sessionId,
  argMin(r.distinct_id, r.first_timestamp) AS distinctId,
  toUnixTimestamp64Milli(min(r.first_timestamp)) AS startMs,
  toUnixTimestamp64Milli(max(r.last_timestamp)) AS endMs,
  toUnixTimestamp64Milli(max(r.inserted_at)) AS lastReceivedMs,
  nullIf(argMinIf(r.first_url, r.first_timestamp, r.first_url != ''), '') AS firstUrl,
  argMin(r.snapshot_source, r.first_timestamp) AS snapshotSource,
  sum(r.active_milliseconds) AS activeMilliseconds,
  sum(r.click_count) AS clickCount,
  sum(r.keypress_count) AS keypressCount,
  sum(r.mouse_activity_count) AS mouseActivityCount,
  sum(r.console_log_count) AS consoleLogCount,
  sum(r.console_warn_count) AS consoleWarnCount,
  sum(r.console_error_count) AS consoleErrorCount`

const DURATION = "intDiv(endMs - startMs, 1000)"
const ACTIVE_SECONDS = "activeMilliseconds / 1000"
const MASS = `(mouseActivityCount + ${DURATION} + consoleErrorCount + consoleLogCount + consoleWarnCount)`
const ACTIVITY = `(${ACTIVE_SECONDS} + clickCount + keypressCount + consoleErrorCount)`

/** SQL over these columns. */
const MEASURES: Readonly<Record<RecordingMeasure, string>> = {
  duration: DURATION,
  active_seconds: `(${ACTIVE_SECONDS})`,
  inactive_seconds: `greatest(${DURATION} * 1000 - activeMilliseconds, 0) / 1000`,
  click_count: "clickCount",
  keypress_count: "keypressCount",
  mouse_activity_count: "mouseActivityCount",
  console_log_count: "consoleLogCount",
  console_warn_count: "consoleWarnCount",
  console_error_count: "consoleErrorCount",
  activity_score: `if(${MASS} = 0, 0, round(100 * ${ACTIVITY} / ${MASS}, 2))`,
}

const COMPARISONS = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

/** Which sessions a list has, with everything resolved that needs the clock, another store or the project's HogQL. */
export interface RecordingQuery {
  /** Only sessions that start at or after this; retention is part of it. */
  readonly fromMs: number
  readonly toMs: number | null
  readonly sessionIds: readonly string[] | null
  readonly distinctIds: readonly string[] | null
  /** Null when every session will do. */
  readonly test: SessionTest | null
  /** Null for the order of `sessionIds`. */
  readonly order: RecordingOrder | null
}

/** A SELECT of the sessions that a query asks for, without order; every value is bound, the project first and always. */
export function toRecordingsSql(
  projectId: ProjectId,
  query: RecordingQuery,
): { sql: string; parameters: QueryParameters } {
  const parameters: Record<string, unknown> = { project: projectId }
  const bind = (value: unknown, type: string): string => {
    const name = `p${Object.keys(parameters).length}`
    parameters[name] = value
    return `{${name}:${type}}`
  }
  const time = (ms: number): string => `fromUnixTimestamp64Milli(${bind(ms, "Int64")}, 'UTC')`
  const { fromMs, toMs, sessionIds, distinctIds } = query

  const rows = [
    "r.project_id = {project:Int64}",
    "r.session_id NOT IN (SELECT session_id FROM session_recording_deletions WHERE project_id = {project:Int64})",
    `r.first_timestamp >= ${time(fromMs - MAX_SESSION_MS)}`,
  ]
  const sessions = [`startMs >= ${bind(fromMs, "Int64")}`]
  if (toMs !== null) {
    rows.push(`r.first_timestamp <= ${time(toMs + MAX_SESSION_MS)}`)
    sessions.push(`startMs <= ${bind(toMs, "Int64")}`)
  }
  if (sessionIds !== null) rows.push(`r.session_id IN ${bind(sessionIds, "Array(String)")}`)
  if (distinctIds !== null) sessions.push(`countIf(r.distinct_id IN ${bind(distinctIds, "Array(String)")}) > 0`)

  // Conditions on the session id go into WHERE, so that no sums are computed for sessions that they leave out.
  for (const test of listTests(query.test))
    (isById(test) ? rows : sessions).push(testSql(test, bind, isById(test) ? "r.session_id" : "sessionId"))
  return {
    sql: `SELECT ${COLUMNS} FROM session_replay_events AS r WHERE ${rows.join(" AND ")}
      GROUP BY r.session_id HAVING ${sessions.join(" AND ")}`,
    parameters,
  }
}

/** An expression over the columns of that statement that its rows are ordered by, besides time and id. */
export function toPlaceSql({ order }: RecordingQuery): string {
  if (order === null) return "indexOf({order:Array(String)}, sessionId)"
  return order.by === "start_time" ? "startMs" : MEASURES[order.by]
}

/** The order of a list whose statement names that expression `place`; ends with the id: pages never overlap. */
export function toRecordingOrder({ order }: RecordingQuery): readonly RangeColumn[] {
  const isDescending = order?.descending ?? false
  return [
    { property: "place", column: "place", kind: "number", isDescending },
    { property: "startMs", column: "startMs", kind: "integer", isDescending },
    { property: "sessionId", column: "sessionId", kind: "text", isDescending },
  ]
}

type Bind = (value: unknown, type: string) => string

/** Conditions that must all hold. */
const listTests = (test: SessionTest | null): readonly SessionTest[] =>
  test === null ? [] : test.kind === "all" ? test.tests : [test]

const isById = (test: SessionTest): boolean =>
  test.kind === "session_in" || (test.kind === "not" && test.test.kind === "session_in")

function testSql(test: SessionTest, bind: Bind, sessionId = "sessionId"): string {
  switch (test.kind) {
    case "all":
    case "any":
      return `(${test.tests.map((one) => testSql(one, bind)).join(test.kind === "all" ? " AND " : " OR ")})`
    case "not":
      return `NOT (${testSql(test.test, bind, sessionId)})`
    case "session_in":
      return `${sessionId} IN (${rebind(test.select, bind)})`
    case "distinct_id_in":
      return `countIf(r.distinct_id IN (${rebind(test.select, bind)})) > 0`
    case "measure":
      return `${MEASURES[test.measure]} ${COMPARISONS[test.comparison]} ${bind(test.value, "Float64")}`
    case "source_in":
      return `snapshotSource IN ${bind(test.sources, "Array(String)")}`
    case "page":
      return `countIf(arrayExists(url -> ${pageSql(test, bind)}, r.urls)) > 0`
  }
}

function pageSql({ match, texts }: Extract<SessionTest, { kind: "page" }>, bind: Bind): string {
  const bound = bind(texts, "Array(String)")
  if (match === "exact") return `has(${bound}, url)`
  if (match === "regex") return texts.map((text) => `match(url, ${bind(text, "String")})`).join(" OR ") || "0"
  return `multiSearchAnyCaseInsensitiveUTF8(url, ${bound})`
}

/** A compiled SELECT with names for its values that no other condition uses; its text holds nothing that a user wrote. */
const rebind = ({ sql, parameters }: BoundSelect, bind: Bind): string =>
  sql.replace(/\{(p\d+):String\}/g, (_, name: string) => bind(parameters[name], "String"))
