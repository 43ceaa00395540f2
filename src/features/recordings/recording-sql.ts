import type { ProjectId } from "../../kernel/ids.js"
import type { QueryParameters } from "../../platform/clickhouse/click-house.js"
import type { BoundSelect, SessionTest } from "./filter/session-test.types.js"
import type { RecordingMeasure } from "./recording-measure.js"
import type { RecordingQuery } from "./recordings.types.js"
import { DAY_MS } from "./retention.js"

/** Recorders end a session after 24 hours, so its rows lie within a day of each other. */
const MAX_SESSION_MS = DAY_MS

const DURATION = "intDiv(end_ms - start_ms, 1000)"
const ACTIVE_SECONDS = "active_milliseconds / 1000"
const MASS = `(mouse_activity_count + ${DURATION} + console_error_count + console_log_count + console_warn_count)`
const ACTIVITY = `(${ACTIVE_SECONDS} + click_count + keypress_count + console_error_count)`

/** SQL over the columns of `SUMS`. */
const MEASURES: Readonly<Record<RecordingMeasure, string>> = {
  duration: DURATION,
  active_seconds: `(${ACTIVE_SECONDS})`,
  inactive_seconds: `greatest(${DURATION} - ${ACTIVE_SECONDS}, 0)`,
  click_count: "click_count",
  keypress_count: "keypress_count",
  mouse_activity_count: "mouse_activity_count",
  console_log_count: "console_log_count",
  console_warn_count: "console_warn_count",
  console_error_count: "console_error_count",
  activity_score: `if(${MASS} = 0, 0, round(100 * ${ACTIVITY} / ${MASS}, 2))`,
}

const COMPARISONS = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

const SUMS = `
  r.session_id AS session_id,
  argMin(r.distinct_id, r.first_timestamp) AS distinct_id,
  toUnixTimestamp64Milli(min(r.first_timestamp)) AS start_ms,
  toUnixTimestamp64Milli(max(r.last_timestamp)) AS end_ms,
  toUnixTimestamp64Milli(max(r.inserted_at)) AS last_received_ms,
  argMinIf(r.first_url, r.first_timestamp, r.first_url != '') AS first_url,
  argMin(r.snapshot_source, r.first_timestamp) AS snapshot_source,
  sum(r.active_milliseconds) AS active_milliseconds,
  sum(r.click_count) AS click_count,
  sum(r.keypress_count) AS keypress_count,
  sum(r.mouse_activity_count) AS mouse_activity_count,
  sum(r.console_log_count) AS console_log_count,
  sum(r.console_warn_count) AS console_warn_count,
  sum(r.console_error_count) AS console_error_count`

/** A row of the statement that `toRecordingsSql` writes. */
export interface RecordingSumsRow {
  readonly session_id: string
  readonly distinct_id: string
  readonly start_ms: number
  readonly end_ms: number
  readonly last_received_ms: number
  readonly first_url: string
  readonly snapshot_source: string
  readonly active_milliseconds: number
  readonly click_count: number
  readonly keypress_count: number
  readonly mouse_activity_count: number
  readonly console_log_count: number
  readonly console_warn_count: number
  readonly console_error_count: number
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
  const sessions = [`start_ms >= ${bind(fromMs, "Int64")}`]
  if (toMs !== null) {
    rows.push(`r.first_timestamp <= ${time(toMs + MAX_SESSION_MS)}`)
    sessions.push(`start_ms <= ${bind(toMs, "Int64")}`)
  }
  if (sessionIds !== null) rows.push(`r.session_id IN ${bind(sessionIds, "Array(String)")}`)
  if (distinctIds !== null) sessions.push(`countIf(r.distinct_id IN ${bind(distinctIds, "Array(String)")}) > 0`)

  // Conditions on the session id go into WHERE, so that no sums are worked out for sessions that they leave out.
  for (const test of testsOf(query.test))
    (isById(test) ? rows : sessions).push(testSql(test, bind, isById(test) ? "r.session_id" : "session_id"))
  return {
    sql: `SELECT ${SUMS} FROM session_replay_events AS r WHERE ${rows.join(" AND ")}
      GROUP BY r.session_id HAVING ${sessions.join(" AND ")}`,
    parameters,
  }
}

/** ORDER BY of that statement, ending with the id so that pages never overlap. */
export function toOrderSql({ order }: RecordingQuery): string {
  if (order === null) return "indexOf({order:Array(String)}, session_id)"
  const direction = order.descending ? "DESC" : "ASC"
  const by = order.by === "start_time" ? "start_ms" : MEASURES[order.by]
  return `${by} ${direction}, start_ms ${direction}, session_id ${direction}`
}

type Bind = (value: unknown, type: string) => string

/** Conditions that must all hold. */
const testsOf = (test: SessionTest | null): readonly SessionTest[] =>
  test === null ? [] : test.kind === "all" ? test.tests : [test]

const isById = (test: SessionTest): boolean =>
  test.kind === "session_in" || (test.kind === "not" && test.test.kind === "session_in")

function testSql(test: SessionTest, bind: Bind, sessionId = "session_id"): string {
  switch (test.kind) {
    case "all":
    case "any":
      return `(${test.tests.map((one) => testSql(one, bind)).join(test.kind === "all" ? " AND " : " OR ")})`
    case "not":
      return `NOT (${testSql(test.test, bind, sessionId)})`
    case "session_in":
      return `${sessionId} IN (${rebound(test.select, bind)})`
    case "distinct_id_in":
      return `countIf(r.distinct_id IN (${rebound(test.select, bind)})) > 0`
    case "measure":
      return `${MEASURES[test.measure]} ${COMPARISONS[test.comparison]} ${bind(test.value, "Float64")}`
    case "source_in":
      return `snapshot_source IN ${bind(test.sources, "Array(String)")}`
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
const rebound = ({ sql, parameters }: BoundSelect, bind: Bind): string =>
  sql.replace(/\{(p\d+):String\}/g, (_, name: string) => bind(parameters[name], "String"))
