import { isJsonObject, type JsonObject } from "../../kernel/json.js"
import type { Posthog } from "../wire/posthog.js"
import type { RecordKind } from "./record-kinds.js"

/** Where records come from, in the forms of PostHog's REST API. */
export interface RecordSource {
  /** All records of a kind; none where the source has no list of it. */
  list(kind: RecordKind): Promise<readonly JsonObject[]>
  /**
   * A record of a list with all that belongs to it, as far as the source has it: a dashboard with its `tiles`, a static
   * cohort with its `members`, persons with their `distinct_ids`, and a collection with its `recordings`, session ids.
   */
  complete(kind: RecordKind, record: JsonObject): Promise<JsonObject>
}

/** Records as the REST API of PostHog gives them. */
export const createPosthogRecords = (posthog: Posthog): RecordSource => ({
  // Playlists that the server makes up, such as what somebody has watched, are no records.
  list: async (kind) => (await posthog.list(`${kind}/`)).filter(({ is_synthetic: isMadeUp }) => isMadeUp !== true),
  async complete(kind, record) {
    const path = `${kind}/${record.id}/`
    if (kind === "dashboards") {
      const whole = await posthog.get(path)
      return isJsonObject(whole) ? whole : record
    }
    if (isStaticCohort(kind, record)) return { ...record, members: await posthog.list(`${path}persons/`) }
    if (!isCollection(kind, record)) return record
    const recordings = await posthog.list(`${kind}/${record.short_id}/recordings/`)
    return { ...record, recordings: recordings.map(({ id }) => String(id)) }
  },
})

export const isStaticCohort = (kind: RecordKind, { is_static: isStatic }: JsonObject): boolean =>
  kind === "cohorts" && isStatic === true

/** Whether it is a playlist that holds recordings which somebody chose; others find theirs by saved filters. */
export const isCollection = (kind: RecordKind, { filters = null }: JsonObject): boolean =>
  kind === "session_recording_playlists" && (!isJsonObject(filters) || Object.keys(filters).length === 0)
