import type { ProjectId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import { toDateTimeText } from "../../kernel/time-text.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { PluginLogEntry, PluginLogFilter } from "./plugins.types.js"

/** Seconds after which a caller who waits for a list has given up. */
const READ_SETTINGS = { max_execution_time: 30 }

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
      { limit, offset }: OffsetWindow,
    ): Promise<Page<PluginLogEntry>> {
      const { where, parameters } = toCondition(projectId, pluginConfigId, filter)
      const [rows, counted] = await Promise.all([
        clickHouse.rows<LogRow>({
          sql: `SELECT toString(id) AS id, plugin_id AS "pluginId", toUnixTimestamp64Milli(timestamp) AS "timestampMs", source,
                  type, message, toString(instance_id) AS "instanceId"
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
      const toEntry = ({ timestampMs, ...row }: LogRow): PluginLogEntry => ({
        ...row,
        projectId,
        pluginConfigId,
        timestamp: new Date(timestampMs),
      })
      return { items: rows.map(toEntry), totalCount: counted[0]?.total ?? 0 }
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
