import type { ProjectId } from "../../kernel/ids.js"
import { toDateTimeText } from "../../kernel/time-text.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { PluginLogEntry, PluginLogFilter, PluginLogs } from "./plugins.types.js"

/** Seconds after which a caller who waits for a list has given up. */
const READ_SETTINGS = { max_execution_time: 30 }

interface LogRow extends Pick<PluginLogEntry, "id" | "source" | "type" | "message"> {
  readonly plugin_id: number
  readonly timestamp_ms: number
  readonly instance_id: string
}

/** Plugins' logs in ClickHouse. */
export function createClickHousePluginLogs(clickHouse: ClickHouse): PluginLogs {
  return {
    async list(projectId, pluginConfigId, filter, { limit, offset }) {
      const { where, parameters } = toCondition(projectId, pluginConfigId, filter)
      const [rows, counted] = await Promise.all([
        clickHouse.rows<LogRow>({
          sql: `SELECT toString(id) AS id, plugin_id, toUnixTimestamp64Milli(timestamp) AS timestamp_ms, source, type, message,
                  toString(instance_id) AS instance_id
                FROM plugin_log_entries AS entry WHERE ${where}
                ORDER BY entry.timestamp DESC, entry.id DESC LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
          parameters: { ...parameters, limit, offset },
          settings: READ_SETTINGS,
        }),
        clickHouse.rows<{ total: number }>({
          sql: `SELECT count() AS total FROM plugin_log_entries AS entry WHERE ${where}`,
          parameters,
          settings: READ_SETTINGS,
        }),
      ])
      const items = rows.map(({ plugin_id, timestamp_ms, instance_id, ...row }) => ({
        ...row,
        projectId,
        pluginConfigId,
        pluginId: plugin_id,
        instanceId: instance_id,
        timestamp: new Date(timestamp_ms),
      }))
      return { items, totalCount: counted[0]?.total ?? 0 }
    },

    append: (entries, deduplicationToken, nowMs) =>
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
