import { waitFor } from "../wait-for.js"
import type { WaymarkApi } from "../waymark-api.js"

/** Stands in every record of project 1 that the matrix plants: nobody else may ever read it. */
export const MARK = "only-for-project-one"

const UNKNOWN_UUID = "00000000-0000-4000-8000-00000000dead"

/** One id for each kind of thing, as paths and arguments take them. */
export interface RecordIds {
  readonly playlist: string
  readonly insight: string
  readonly dashboard: string
  readonly recording: string
  readonly plugin: string
  readonly flag: string
  readonly cohort: string
  readonly action: string
  readonly person: string
  /** Name of events. */
  readonly event: string
  /** Name of a property of persons, as the graph's operations take it. */
  readonly property: string
  readonly query: string
  readonly scheduledExport: string
  /** The one that owns the project. */
  readonly organization: string
}

/** Ids that nothing has. */
export const UNKNOWN_IDS: RecordIds = {
  playlist: "nope1234",
  insight: "nope1234",
  dashboard: "nope1234",
  recording: UNKNOWN_UUID,
  plugin: "999999",
  flag: "999999",
  cohort: "999999",
  action: "999999",
  person: UNKNOWN_UUID,
  event: "nobody sends this",
  property: "person:-1:nobody has this",
  query: UNKNOWN_UUID,
  scheduledExport: "999999",
  organization: UNKNOWN_UUID,
}

const KINDS: readonly (readonly [RegExp, keyof RecordIds])[] = [
  [/scheduledExport/i, "scheduledExport"],
  [/playlist/i, "playlist"],
  [/insight/i, "insight"],
  [/dashboard/i, "dashboard"],
  [/recording/i, "recording"],
  [/plugin/i, "plugin"],
  [/flag|remoteConfig/i, "flag"],
  [/cohort/i, "cohort"],
  [/action/i, "action"],
  [/person|actor/i, "person"],
  [/query/i, "query"],
  [/organization/i, "organization"],
  [/eventDefinition/i, "event"],
  [/propertyDefinition/i, "property"],
]

/** The id of the thing that the first telling name is about (a path segment, an argument, a field); else one of nothing. */
export function idFor(ids: RecordIds, ...names: readonly string[]): string {
  for (const name of names) {
    const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1]
    if (kind !== undefined) return ids[kind]
  }
  return UNKNOWN_UUID
}

/** Stores one record of each kind in a project, with the mark where somebody could read it. */
export async function plantRecords(
  api: WaymarkApi,
  project: number,
  projectKey: string,
  mark: string,
): Promise<RecordIds> {
  const create = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await api.post<Record<string, unknown>>(`/api/environments/${project}/${path}/`, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { organization } = (await api.get<{ organization: string }>(`/api/projects/${project}/`)).body
  const recording = `0199a000-0000-7000-8000-00000000c1${String(project).padStart(2, "0")}`
  const query = `0199a000-0000-4000-8000-00000000c2${String(project).padStart(2, "0")}`
  const flag = await create("feature_flags", {
    key: mark,
    is_remote_configuration: true,
    filters: { groups: [{}], payloads: { true: mark } },
  })
  const cohort = await create("cohorts", { name: mark, is_static: true })
  const action = await create("actions", { name: mark })
  const playlist = await create("session_recording_playlists", { name: mark })
  await create(`session_recording_playlists/${playlist.short_id}/recordings/${recording}`, {})
  const { createPluginConfig } = await api.changed<{ createPluginConfig: { id: number } }>(
    `mutation ($project: ID!, $name: String!) {
      createPluginConfig(input: { projectId: $project, name: $name }) {
        pluginConfig { id: number } userErrors { message } } }`,
    { project, name: mark },
  )
  const { createInsight, createDashboard } = await api.changed<Record<string, { shortId: string }>>(
    `mutation ($project: ID!, $name: String!) {
      createInsight(input: { projectId: $project, name: $name, query: { hogql: { query: "SELECT 1" } } }) {
        insight { shortId } userErrors { message } }
      createDashboard(input: { projectId: $project, name: $name, tiles: [{ x: 0, y: 0, w: 6, h: 4, text: $name }] }) {
        dashboard { shortId } userErrors { message } } }`,
    { project, name: mark },
  )
  const { createScheduledExport } = await api.changed<{ createScheduledExport: { id: number } }>(
    `mutation ($project: ID!, $name: String!) {
      createScheduledExport(input: { projectId: $project, name: $name, content: EVENTS, target: { folder: {} } }) {
        scheduledExport { id: number } userErrors { message } } }`,
    { project, name: mark },
  )
  await api.changed(
    `mutation ($project: ID!, $id: ID!, $entries: [PluginLogInput!]!) {
      appendPluginLogs(input: { projectId: $project, pluginConfigId: $id, entries: $entries }) {
        entryCount userErrors { message } } }`,
    { project, id: String(createPluginConfig.id), entries: [{ message: mark }] },
  )
  await api.capture({ event: mark, distinct_id: "somebody", properties: { $set: { name: mark } } }, projectKey)
  const snapshot = { type: 4, timestamp: Date.now(), data: { href: `https://a.test/${mark}`, width: 1, height: 1 } }
  const properties = { token: projectKey, distinct_id: "somebody", $session_id: recording, $window_id: "w" }
  await api.post("/s/", [{ event: "$snapshot", properties: { ...properties, $snapshot_data: [snapshot] } }])
  const text = { kind: "HogQLQuery", query: `SELECT '${mark}'` }
  await create("query", { query: text, refresh: "force_async", client_query_id: query })
  await api.drained()
  const people = await waitFor("the planted person", async () => {
    const { results } = (await api.get<{ results: { id: string }[] }>(`/api/environments/${project}/persons/`)).body
    return results.length > 0 && results
  })
  return {
    event: mark,
    property: "person:-1:name",
    playlist: String(playlist.short_id),
    insight: String(createInsight?.shortId),
    dashboard: String(createDashboard?.shortId),
    recording,
    plugin: String(createPluginConfig.id),
    flag: String(flag.id),
    cohort: String(cohort.id),
    action: String(action.id),
    person: String(people[0]?.id),
    query,
    scheduledExport: String(createScheduledExport.id),
    organization,
  }
}
