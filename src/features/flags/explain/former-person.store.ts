import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type JsonObject } from "../../../kernel/json.js"
import type { ClickHouse } from "../../../platform/clickhouse/click-house.js"

/** A person as an event has them. */
export interface FormerPerson {
  readonly properties: JsonObject
  /** Time of the event. */
  readonly seenAt: Date
}

/** Tells what was known of persons at a moment. */
export interface FormerPersons {
  /** By the last event of a distinct id until then; null when there is none that has properties. */
  find(projectId: ProjectId, distinctId: string, until: Date): Promise<FormerPerson | null>
}

const LAST_EVENT = `
  SELECT person_properties AS properties, toFloat64(toUnixTimestamp64Milli(timestamp)) AS seenAtMs FROM events
  WHERE project_id = {projectId:Int64} AND distinct_id = {distinctId:String} AND person_mode != 'propertyless'
    AND timestamp <= fromUnixTimestamp64Milli({untilMs:Int64})
  ORDER BY timestamp DESC LIMIT 1`

const READ_ONLY = { readonly: 1, max_execution_time: 20 }

/** Reads them from the events; without an engine nothing is known. */
export const createFormerPersons = (clickHouse: ClickHouse | null): FormerPersons => ({
  find: async (projectId, distinctId, until) => {
    if (clickHouse === null) return null
    const parameters = { projectId, distinctId, untilMs: until.getTime() }
    const [event] = await clickHouse.rows<{ properties: string; seenAtMs: number }>({
      sql: LAST_EVENT,
      parameters,
      settings: READ_ONLY,
    })
    if (event === undefined) return null
    const properties: unknown = JSON.parse(event.properties)
    return isJsonObject(properties) ? { properties, seenAt: new Date(event.seenAtMs) } : null
  },
})
