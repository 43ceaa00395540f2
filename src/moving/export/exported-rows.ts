import type { DividedRows } from "../../backup/table-parts.js"

/** Tables as they were at one moment, by the names of those whose rows they hold. */
export type FindTable = (name: string) => string

/** Whose rows are exported. */
export interface ExportedProject {
  readonly id: number
  /** Names of types of groups, by their number. */
  readonly groupTypes: readonly string[]
}

/** Times of events in milliseconds: at or after the first, before the second. */
export interface ExportedTimes {
  readonly fromMs: number | null
  readonly toMs: number | null
}

/** Rows of one kind, with the names of columns that PostHog's batch exports and tables have. */
export interface ExportedRows extends DividedRows {
  readonly kind: string
}

/** Columns whose texts are JSON. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
  "properties",
  "person_properties",
  "group_properties",
  "set",
  "set_once",
])

/** Everything of a project that is rows. */
export function listExportedRows(
  find: FindTable,
  { id: project, groupTypes }: ExportedProject,
  { fromMs, toMs }: ExportedTimes,
): ExportedRows[] {
  const from = fromMs === null ? "" : "AND e.timestamp >= fromUnixTimestamp64Milli({fromMs:Int64})"
  const to = toMs === null ? "" : "AND e.timestamp < fromUnixTimestamp64Milli({toMs:Int64})"
  const toRows = (
    rows: RowKind,
    parameters: ExportedRows["parameters"],
    timeColumn = "",
    condition = "",
  ): ExportedRows => ({
    kind: rows.kind,
    title: `Project ${project}: ${rows.kind}`,
    columns: Object.keys(rows.columns),
    source: `(${toSelect(rows, find, condition)})`,
    parameters,
    timeColumn,
  })
  return [
    toRows(EVENT_ROWS, { project, fromMs, toMs }, "timestamp", `${from} ${to}`),
    toRows(PERSON_ROWS, { project }),
    toRows(GROUP_ROWS, { project, groupTypes }),
    toRows(RECORDING_ROWS, { project }),
  ]
}

/** Expressions by the names of their columns. */
type Columns = Readonly<Record<string, string>>

/** Rows of one kind: what is read of them, and where. */
export interface RowKind {
  readonly kind: string
  readonly columns: Columns
  /** What follows the columns in a statement that binds `project`. @param condition begins with `AND`, or is empty. */
  readonly from: (find: FindTable, condition: string) => string
}

/** A statement that reads rows of a project; one of groups binds their types, too. */
export const toSelect = ({ columns, from }: RowKind, find: FindTable, condition = ""): string =>
  `SELECT ${Object.entries(columns)
    .map(([name, expression]) => `${expression} AS \`${name}\``)
    .join(", ")} ${from(find, condition)}`

/** `_inserted_at` is when a row was stored; `person_id` is whom the event belongs to now, after merges. */
const EVENT_COLUMNS: Columns = {
  uuid: "toString(e.uuid)",
  event: "e.event",
  properties: "e.properties",
  distinct_id: "e.distinct_id",
  person_id: "toString(if(o.distinct_id = '', e.person_id, o.person_id))",
  person_properties: "e.person_properties",
  set: "nullIf(JSONExtractRaw(e.properties, '$set'), '')",
  set_once: "nullIf(JSONExtractRaw(e.properties, '$set_once'), '')",
  ip: "nullIf(JSONExtractString(e.properties, '$ip'), '')",
  elements_chain: "e.elements_chain",
  timestamp: "e.timestamp",
  created_at: "e.created_at",
  _inserted_at: "e.inserted_at",
  team_id: "e.project_id",
}

/** In `condition` the table of events is `e`. */
export const EVENT_ROWS: RowKind = {
  kind: "events",
  columns: EVENT_COLUMNS,
  from: (find, condition) => `FROM ${find("events")} AS e LEFT JOIN (
    SELECT distinct_id, person_id FROM ${find("person_distinct_id_overrides")} FINAL
     WHERE project_id = {project:Int64} AND NOT is_deleted) AS o ON o.distinct_id = e.distinct_id
   WHERE e.project_id = {project:Int64} ${condition}`,
}

/** A row for each id of a person. */
const PERSON_COLUMNS: Columns = {
  team_id: "p.project_id",
  distinct_id: "d.distinct_id",
  person_id: "toString(p.id)",
  properties: "p.properties",
  person_distinct_id_version: "d.version",
  person_version: "p.version",
  created_at: "p.created_at",
  is_identified: "p.is_identified",
  is_deleted: "p.is_deleted",
}

/** In `condition` the table of their ids is `d`. */
export const PERSON_ROWS: RowKind = {
  kind: "persons",
  columns: PERSON_COLUMNS,
  from: (find, condition) => `FROM ${find("persons")} AS p FINAL INNER JOIN (
    SELECT distinct_id, person_id, version FROM ${find("person_distinct_ids")} FINAL
     WHERE project_id = {project:Int64} AND NOT is_deleted) AS d ON d.person_id = p.id
   WHERE p.project_id = {project:Int64} AND NOT p.is_deleted ${condition}`,
}

const GROUP_COLUMNS: Columns = {
  team_id: "g.project_id",
  group_type_index: "g.group_type_index",
  group_type: "{groupTypes:Array(String)}[g.group_type_index + 1]",
  group_key: "g.group_key",
  group_properties: "g.properties",
  created_at: "g.created_at",
  updated_at: "g.updated_at",
}

/** In `condition` the table of groups is `g`. */
export const GROUP_ROWS: RowKind = {
  kind: "groups",
  columns: GROUP_COLUMNS,
  from: (find, condition) =>
    `FROM ${find("groups")} AS g FINAL WHERE g.project_id = {project:Int64} AND NOT g.is_deleted ${condition}`,
}

/** A row for each session, as lists of recordings add its blocks up (`src/features/recordings/recording-sql.ts`). */
const RECORDING_COLUMNS: Columns = {
  session_id: "r.session_id",
  team_id: "any(r.project_id)",
  distinct_id: "argMin(r.distinct_id, r.first_timestamp)",
  min_first_timestamp: "min(r.first_timestamp)",
  max_last_timestamp: "max(r.last_timestamp)",
  first_url: "nullIf(argMinIf(r.first_url, r.first_timestamp, r.first_url != ''), '')",
  all_urls: "arraySort(groupUniqArrayArray(r.urls))",
  click_count: "sum(r.click_count)",
  keypress_count: "sum(r.keypress_count)",
  mouse_activity_count: "sum(r.mouse_activity_count)",
  active_milliseconds: "sum(r.active_milliseconds)",
  console_log_count: "sum(r.console_log_count)",
  console_warn_count: "sum(r.console_warn_count)",
  console_error_count: "sum(r.console_error_count)",
  size: "sum(r.size)",
  event_count: "sum(r.event_count)",
  message_count: "sum(r.message_count)",
  snapshot_source: "toString(argMin(r.snapshot_source, r.first_timestamp))",
  snapshot_library: "nullIf(argMin(r.snapshot_library, r.first_timestamp), '')",
}

/** The rows of sessions that were not deleted, to be added up for each. */
export const recordingsSource = (find: FindTable, condition = ""): string =>
  `FROM ${find("session_replay_events")} AS r
   WHERE r.project_id = {project:Int64} AND r.session_id NOT IN (
    SELECT session_id FROM ${find("session_recording_deletions")} WHERE project_id = {project:Int64}) ${condition}
   GROUP BY r.session_id`

const RECORDING_ROWS: RowKind = { kind: "session_recordings", columns: RECORDING_COLUMNS, from: recordingsSource }
