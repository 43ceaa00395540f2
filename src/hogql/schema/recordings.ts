import type { ColumnDefinition, LazyJoin, TableDefinition } from "./schema.js"

const COUNTS = [
  "click_count",
  "keypress_count",
  "mouse_activity_count",
  "console_log_count",
  "console_warn_count",
  "console_error_count",
]

/** Where one can go from a recording. */
const JOINS: Readonly<Record<string, LazyJoin>> = {
  pdi: { table: "person_distinct_ids", from: "distinct_id", to: "distinct_id" },
  session: { table: "sessions", from: "session_id", to: "session_id" },
  events: { table: "events", from: "session_id", to: "$session_id" },
}
const PATHS = { person: ["pdi", "person"], person_id: ["pdi", "person_id"] } as const

const sum = (name: string): ColumnDefinition => ({ type: "Integer", sql: `sum(r.${name})` })

/** The end that rows have which stay for good (`migrations/clickhouse/0003_recordings.sql`). */
const NEVER = "toDateTime(4294967295, 'UTC')"

/** When rows are deleted, and after how many days: null for rows that stay. Not among the columns of a `*`. */
const retention = (expiresAt: string, start: string): Record<string, ColumnDefinition> => ({
  retention_period_days: {
    type: "Integer",
    nullable: true,
    sql: `if(${expiresAt} = ${NEVER}, NULL, intDiv(dateDiff('second', ${start}, ${expiresAt}), 86400))`,
    star: false,
  },
  expiry_time: { type: "DateTime", nullable: true, sql: `nullIf(${expiresAt}, ${NEVER})`, star: false },
})

/** Recordings, the blocks of each session added up. */
export const SESSION_REPLAY_EVENTS: TableDefinition = {
  name: "session_replay_events",
  stored: "session_replay_events",
  sampleKey: "r.session_id",
  timeColumn: "start_time",
  groupBy: ["r.session_id"],
  columns: {
    session_id: { type: "String", sql: "r.session_id" },
    team_id: { type: "Integer", sql: "any(r.project_id)" },
    distinct_id: { type: "String", sql: "argMin(r.distinct_id, r.first_timestamp)" },
    start_time: { type: "DateTime", sql: "min(r.first_timestamp)" },
    end_time: { type: "DateTime", sql: "max(r.last_timestamp)" },
    first_url: {
      type: "String",
      nullable: true,
      sql: "nullIf(argMinIf(r.first_url, r.first_timestamp, r.first_url != ''), '')",
    },
    all_urls: { type: "Array", sql: "groupUniqArrayArray(r.urls)" },
    ...Object.fromEntries(COUNTS.map((name) => [name, sum(name)])),
    active_milliseconds: sum("active_milliseconds"),
    size: sum("size"),
    event_count: sum("event_count"),
    message_count: sum("message_count"),
    snapshot_source: { type: "String", sql: "argMin(r.snapshot_source, r.first_timestamp)" },
    ...retention("max(r.expires_at)", "min(r.first_timestamp)"),
  },
  joins: JOINS,
  paths: PATHS,
}

const stored = (type: ColumnDefinition["type"], name: string): ColumnDefinition => ({ type, sql: `r.${name}` })
const storedCount = (name: string) => [name, stored("Integer", name)] as const

/** The blocks of recordings as they were sent. */
export const RAW_SESSION_REPLAY_EVENTS: TableDefinition = {
  name: "raw_session_replay_events",
  stored: "session_replay_events",
  sampleKey: "r.session_id",
  timeColumn: "min_first_timestamp",
  columns: {
    session_id: stored("String", "session_id"),
    team_id: stored("Integer", "project_id"),
    distinct_id: stored("String", "distinct_id"),
    min_first_timestamp: stored("DateTime", "first_timestamp"),
    max_last_timestamp: stored("DateTime", "last_timestamp"),
    first_url: { type: "String", nullable: true, sql: "nullIf(r.first_url, '')" },
    all_urls: stored("Array", "urls"),
    ...Object.fromEntries([...COUNTS, "active_milliseconds", "size", "event_count", "message_count"].map(storedCount)),
    snapshot_source: stored("String", "snapshot_source"),
    ...retention("r.expires_at", "r.first_timestamp"),
  },
  joins: JOINS,
  paths: PATHS,
}

export const LOG_ENTRIES: TableDefinition = {
  name: "log_entries",
  stored: "log_entries",
  sampleKey: "r.log_source_id",
  timeColumn: "timestamp",
  columns: {
    team_id: { type: "Integer", sql: "r.project_id" },
    log_source: { type: "String", sql: "r.log_source" },
    log_source_id: { type: "String", sql: "r.log_source_id" },
    instance_id: { type: "String", sql: "r.instance_id" },
    timestamp: { type: "DateTime", sql: "r.timestamp" },
    message: { type: "String", sql: "r.message" },
    level: { type: "String", sql: "r.level" },
  },
}
