import type { ProjectId } from "../../kernel/ids.js"
import { type ListPage, mapPage, type PageRequest } from "../../kernel/paging.js"
import { readPage } from "../../kernel/read-page.js"
import { toDateTimeText } from "../../kernel/time-text.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import { type RangeColumn, toRangeSql } from "../../platform/clickhouse/sql-range.js"
import type { PluginLogEntry, PluginLogFilter } from "./plugins.types.js"

/** Seconds after which a caller who waits for a list has given up. */
const READ_SETTINGS = { max_execution_time: 30 }

/** Times of entries are whole milliseconds. */
const NEWEST_FIRST: readonly RangeColumn[] = [
  { property: "timestampMs", column: "entry.timestamp", kind: "time", isDescending: true },
  { property: "id", column: "entry.id", kind: "uuid", isDescending: true },
]

interface LogRow extends Omit<PluginLogEntry, "projectId" | "pluginConfigId" | "timestamp"> {
  readonly timestampMs: number
}

export type PluginLogStore = ReturnType<typeof createPluginLogStore>

/** Plugins' logs in ClickHouse, which drops entries after 90 days. */
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
            const sql = `SELECT toString(id) AS id, plugin_id AS "pluginId",
                toUnixTimestamp64Milli(timestamp) AS "timestampMs", source, type, message,
                toString(instance_id) AS "instanceId"
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
      return mapPage(page, ({ timestampMs, ...row }) => ({
        ...row,
        projectId,
        pluginConfigId,
        timestamp: new Date(timestampMs),
      }))
    },

    /** The same token stores the entries once. */
    append: (entries: readonly PluginLogEntry[], deduplicationToken: string, nowMs: number) =>
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
          inserted_at: new Date(nowMs).toISOString().slice(0, 19).replace("T", " "),
        })),
      }),
  }
}

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
