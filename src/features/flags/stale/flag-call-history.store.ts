import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"
import type { FlagCallHistory } from "./stale-flags.service.js"

const LAST_CALLS = `
  SELECT JSONExtractString(properties, '$feature_flag') AS key, toFloat64(max(toUnixTimestamp64Milli(timestamp))) AS calledAtMs
  FROM events
  WHERE project_id = {projectId:Int64} AND event = '$feature_flag_called'
    AND toDate(timestamp) >= toDate(fromUnixTimestamp64Milli({sinceMs:Int64}))
    AND timestamp >= fromUnixTimestamp64Milli({sinceMs:Int64})
  GROUP BY key ORDER BY calledAtMs DESC LIMIT 10000`

const READ_ONLY = { readonly: 1, max_execution_time: 20 }

/** SDKs' reports of flag use, read from the events; without an engine nothing is known of them. */
export function createFlagCallHistory(clickHouse: ClickHouse | null): FlagCallHistory {
  return {
    lastCalls: async (projectId, sinceMs) => {
      if (clickHouse === null) return new Map()
      const statement = { sql: LAST_CALLS, parameters: { projectId, sinceMs }, settings: READ_ONLY }
      const rows = await clickHouse.rows<{ key: string; calledAtMs: number }>(statement)
      return new Map(rows.map(({ key, calledAtMs }) => [key, new Date(calledAtMs)]))
    },
  }
}
