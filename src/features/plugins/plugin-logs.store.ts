import type { ProjectId } from "../../kernel/ids.js"
import type { OrderedItems } from "../../kernel/ordered-feed.js"
import { type ListPage, mapPage, type PageRequest } from "../../kernel/paging.js"
import { readPage } from "../../kernel/read-page.js"
import { toDateTimeText } from "../../kernel/time-text.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { deleteRows } from "../../platform/clickhouse/mutate-rows.js"
import { type RangeColumn, toRangeSql } from "../../platform/clickhouse/sql-range.js"
import { writePlaceCursor } from "../../platform/graphql/place-cursor.js"
import { toLogIdentity } from "./log-identity.js"
import type { LivePluginLogEntry, PluginLogEntry, PluginLogFilter, WatchedPluginLog } from "./plugins.types.js"

/** Seconds after which a caller who waits for a list has given up. */
const READ_SETTINGS = { max_execution_time: 30 }

/** Times of entries are whole milliseconds. */
const NEWEST_FIRST: readonly RangeColumn[] = [
  { property: "timestampMs", column: "entry.timestamp", kind: "time", isDescending: true },
  { property: "id", column: "entry.id", kind: "uuid", isDescending: true },
]

/** Characters of a message that watchers are sent; a longer one is cut. */
const MAX_MESSAGE_SENT = 4096
/** Of one read only the newest entries are given: nobody can follow more. */
const MAX_ENTRIES_READ = 1000

const toColumns = (message: string): string => `toString(id) AS "id", plugin_id AS "pluginId",
  toUnixTimestamp64Milli(timestamp) AS "timestampMs", source, type, ${message} AS "message",
  toString(instance_id) AS "instanceId"`

/** An entry with its position in the log of its configuration. */
export interface PlacedLogEntry extends PluginLogEntry {
  readonly position: number
}

interface LogRow extends Omit<PluginLogEntry, "projectId" | "pluginConfigId" | "timestamp"> {
  readonly timestampMs: number
}

/** What names an entry of a project. */
export type LogEntryName = Pick<PluginLogEntry, "pluginConfigId" | "timestamp" | "id">

export type PluginLogStore = ReturnType<typeof createPluginLogStore>

/** Plugins' logs in ClickHouse. */
export function createPluginLogStore(clickHouse: ClickHouse) {
  return {
    /** Newest first. */
    async list(
      projectId: ProjectId,
      pluginConfigId: number,
      filter: PluginLogFilter,
      request: PageRequest,
    ): Promise<ListPage<PluginLogEntry>> {
      const { where, parameters } = toCondition(projectId, pluginConfigId, filter)
      const read = <Row extends object>(sql: string, more: object = {}): Promise<Row[]> =>
        clickHouse.rows<Row>({ sql, parameters: { ...parameters, ...more }, settings: READ_SETTINGS })
      const page = await readPage<LogRow>(
        {
          order: NEWEST_FIRST,
          read: async (range) => {
            const { beyond, orderBy, limit, parameters: bounds } = toRangeSql(NEWEST_FIRST, range)
            const sql = `SELECT ${toColumns("message")}
              FROM plugin_log_entries AS entry WHERE ${where} AND ${beyond} ORDER BY ${orderBy} ${limit}`
            return { rows: await read<LogRow>(sql, bounds) }
          },
          count: async () => {
            const sql = `SELECT count() AS total FROM plugin_log_entries AS entry WHERE ${where}`
            return (await read<{ total: number }>(sql))[0]?.total ?? 0
          },
        },
        request,
      )
      return mapPage(page, (row) => toEntry(projectId, pluginConfigId, row))
    },

    /** Those of these that there are. The time of an entry is what it is found by quickly. */
    async findMany(projectId: ProjectId, names: readonly LogEntryName[]): Promise<PluginLogEntry[]> {
      const sql = `SELECT ${toColumns("message")}, plugin_config_id AS "pluginConfigId" FROM plugin_log_entries AS entry
        WHERE entry.project_id = {project:Int64} AND entry.plugin_config_id IN {configs:Array(Int64)}
          AND entry.timestamp IN (SELECT fromUnixTimestamp64Milli(arrayJoin({times:Array(Int64)}), 'UTC'))
          AND entry.id IN {ids:Array(UUID)} LIMIT 1 BY entry.plugin_config_id, entry.id`
      const parameters = {
        project: projectId,
        configs: names.map(({ pluginConfigId }) => pluginConfigId),
        times: names.map(({ timestamp }) => timestamp.getTime()),
        ids: names.map(({ id }) => id),
      }
      const rows = await clickHouse.rows<LogRow & { readonly pluginConfigId: number }>({
        sql,
        parameters,
        settings: READ_SETTINGS,
      })
      return rows.map(({ pluginConfigId, ...row }) => toEntry(projectId, pluginConfigId, row))
    },

    /** Entries at positions beyond `after` up to `upTo`, in that order; of many the newest. Long messages are cut. */
    async listBeyond(
      watched: WatchedPluginLog,
      after: number,
      upTo: number,
    ): Promise<OrderedItems<LivePluginLogEntry>> {
      const { projectId, pluginConfigId, types, search } = watched
      const filter = { ...(types !== null && { types: [...types] }), ...(search !== null && { search }) }
      const { where, parameters } = toCondition(projectId, pluginConfigId, filter)
      const beyond = `${where} AND entry.position > {after:UInt64} AND entry.position <= {upTo:UInt64}`
      const read = <Row extends object>(sql: string): Promise<Row[]> =>
        clickHouse.rows<Row>({ sql, parameters: { ...parameters, after, upTo }, settings: READ_SETTINGS })
      const rows = await read<LogRow & { readonly position: number }>(
        `SELECT ${toColumns(`substringUTF8(message, 1, ${MAX_MESSAGE_SENT})`)}, entry.position AS "position"
         FROM plugin_log_entries AS entry WHERE ${beyond} ORDER BY entry.position DESC LIMIT ${MAX_ENTRIES_READ}`,
      )
      // Only where there are more than were read: counting them costs another look.
      const counted =
        rows.length < MAX_ENTRIES_READ
          ? []
          : await read<{ total: number }>(`SELECT count() AS total FROM plugin_log_entries AS entry WHERE ${beyond}`)
      const identity = toLogIdentity(projectId, pluginConfigId)
      const items = rows.toReversed().map(({ timestampMs, position, ...row }) => ({
        ...row,
        projectId,
        pluginConfigId,
        timestamp: new Date(timestampMs),
        cursor: writePlaceCursor(identity, [position, 0]),
      }))
      return { items, missed: Math.max(0, (counted[0]?.total ?? 0) - rows.length) }
    },

    /** The same token stores the entries once. */
    append: (entries: readonly PlacedLogEntry[], deduplicationToken: string, nowMs: number) =>
      clickHouse.insert({
        table: "plugin_log_entries",
        deduplicationToken,
        rows: entries.map((entry) => ({
          project_id: entry.projectId,
          plugin_config_id: entry.pluginConfigId,
          plugin_id: entry.pluginId,
          id: entry.id,
          timestamp: toDateTimeText(entry.timestamp.getTime()),
          source: entry.source,
          type: entry.type,
          message: entry.message,
          instance_id: entry.instanceId,
          position: entry.position,
          inserted_at: new Date(nowMs).toISOString().slice(0, 19).replace("T", " "),
        })),
      }),

    /**
     * Has the engine remove entries that were written before a time. May be repeated.
     * @param projects of these, or of all others.
     * @returns whether none is left.
     */
    removeBefore: (
      projects: { readonly of: readonly ProjectId[] } | { readonly except: readonly ProjectId[] },
      beforeMs: number,
    ): Promise<boolean> => {
      const [isIn, ids] = "of" in projects ? ["IN", projects.of] : ["NOT IN", projects.except]
      return deleteRows(clickHouse, {
        table: "plugin_log_entries",
        condition: `project_id ${isIn} {projects:Array(Int64)} AND inserted_at < toDateTime({before:Int64}, 'UTC')`,
        parameters: { projects: ids, before: Math.floor(beforeMs / 1000) },
        name: "old logs of plugins",
      })
    },
  }
}

const toEntry = (projectId: ProjectId, pluginConfigId: number, { timestampMs, ...row }: LogRow): PluginLogEntry => ({
  ...row,
  projectId,
  pluginConfigId,
  timestamp: new Date(timestampMs),
})

/** Every value is bound; the project comes first and always. */
function toCondition(projectId: ProjectId, pluginConfigId: number, { after, before, search, types }: PluginLogFilter) {
  const time = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
  const conditions = ["entry.project_id = {project:Int64}", "entry.plugin_config_id = {config:Int64}"]
  if (after !== undefined) conditions.push(`entry.timestamp > ${time("after")}`)
  if (before !== undefined) conditions.push(`entry.timestamp < ${time("before")}`)
  if (search !== undefined) conditions.push("positionCaseInsensitiveUTF8(entry.message, {search:String}) > 0")
  if (types !== undefined) conditions.push("entry.type IN {types:Array(String)}")
  return {
    where: conditions.join(" AND "),
    parameters: {
      project: projectId,
      config: pluginConfigId,
      search,
      types,
      after: after?.getTime(),
      before: before?.getTime(),
    },
  }
}
