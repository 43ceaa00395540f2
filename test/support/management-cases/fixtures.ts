import type { QueryCaseServer } from "../../features/queries/kinds/query-case-server.js"
import type { CaseDataset } from "../../hogql/support/dataset.js"
import { makeKey } from "../make-key.js"
import { WaymarkApi } from "../waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../waymark-process.js"

const DAY_MS = 86_400_000
const S1 = "018df974-d500-7000-8000-000000000001"
const S_LIVE = "0199a000-0000-7000-8000-00000000c0de"
const S_FOUR_DAYS_OLD = "0199a000-0000-7000-8000-00000000c1de"

/** Makes what the case file calls its fixtures and returns the values of its variables. `nowMs` is the server's time. */
export async function createFixtures(
  server: QueryCaseServer,
  dataset: CaseDataset,
  nowMs: number,
): Promise<Record<string, unknown>> {
  const owner = server.api
  const key = async (scopes: readonly string[], bounds: object = {}): Promise<string> =>
    (await makeKey(owner, scopes, bounds)).value
  const { inviteUser: user2 } = await owner.changed<{ inviteUser: { user: { id: number }; personalApiKey: string } }>(
    `mutation {
      inviteUser(input: { email: "user2@a.test", keyScopes: [ALL] }) {
        invited { user { id: number } personalApiKey } userErrors { message } } }`,
  )
  // The cases' sessions are of 2024.
  await owner.changed(
    `mutation {
      updateProject(input: { settings: { sessionRecordingRetentionDays: 3650 } }) {
        project { id: number } userErrors { message } } }`,
  )
  await storePersons(server, dataset)
  await storeRecordings(server, nowMs)
  return {
    project: 1,
    project2: 2,
    project_token: PROJECT_KEY,
    user_id: (await owner.graphql<{ me: { id: number } }>("{ me { id: number } }")).me.id,
    user2_id: user2.user.id,
    K_all: PERSONAL_KEY,
    K_all_user2: user2.personalApiKey,
    K_playlist_r: await key(["session_recording_playlist:read"]),
    K_playlist_w: await key(["session_recording_playlist:write"]),
    K_recording_r: await key(["session_recording:read"]),
    K_person_r: await key(["person:read"]),
    K_plugin_r: await key(["plugin:read"]),
    K_query_r: await key(["query:read"]),
    K_only_project2: await key(["*"], { projectIds: [2] }),
    K_exhausted: await key(["query:read", "session_recording_playlist:read"]),
    ...(await strangersOf(owner)),
    S1,
    S_live: S_LIVE,
    S_four_days_old: S_FOUR_DAYS_OLD,
    ds1_day: "2024-03-01",
    pl: await createPlaylists(owner, user2.personalApiKey),
    plugin_config: await createPlugin(owner),
    nonce: nowMs,
    uuid1: "5d3f1b1e-0000-4000-8000-000000000001",
    uuid2: "5d3f1b1e-0000-4000-8000-000000000002",
    uuid3: "5d3f1b1e-0000-4000-8000-000000000003",
  }
}

/** An organization that neither user is a member of, with a project and a key that is bound to it. */
async function strangersOf(owner: WaymarkApi): Promise<Record<string, unknown>> {
  const { createOrganization, me } = await owner.changed<{
    createOrganization: { id: string }
    me: { id: number }
  }>(
    `mutation {
      createOrganization(input: { name: "org2" }) { organization { id: uuid } userErrors { message } }
      me: updateMe { me { id: number } userErrors { message } } }`,
  )
  const { inviteUser } = await owner.changed<{ inviteUser: { personalApiKey: string } }>(
    `mutation ($id: ID!) {
      inviteUser(input: { email: "owner@b.test", role: OWNER, organizationId: $id, keyScopes: [ALL] }) {
        invited { personalApiKey } userErrors { message } } }`,
    { id: createOrganization.id },
  )
  const stranger = new WaymarkApi(owner.url, inviteUser.personalApiKey)
  const { createProject, createPersonalApiKey } = await stranger.changed<{
    createProject: { id: string }
    createPersonalApiKey: { value: string }
  }>(
    `mutation ($id: ID!) {
      createProject(input: { name: "Drüben", organizationId: $id }) {
        project { id: number } userErrors { message } }
      createPersonalApiKey(input: { label: "case", scopes: [ALL], organizationIds: [$id] }) {
        personalApiKey { value } userErrors { message } } }`,
    { id: createOrganization.id },
  )
  await owner.changed(
    `mutation ($org: ID!, $user: ID!) {
      removeOrganizationMember(input: { organizationId: $org, userId: $user }) { userErrors { message } } }`,
    {
      org: createOrganization.id,
      user: me.id,
    },
  )
  return { org2: createOrganization.id, project_of_org2: createProject.id, K_only_org2: createPersonalApiKey.value }
}

async function storePersons(server: QueryCaseServer, { persons }: CaseDataset): Promise<void> {
  for (const { uuid, properties, is_identified, created_at, distinct_ids } of persons) {
    await server.sql(
      `INSERT INTO person (project_id, id, properties, email, is_identified, created_at, version)
       VALUES (1, $1, $2, $3, $4, $5, 1)`,
      [uuid, JSON.stringify(properties), properties.email ?? null, is_identified, created_at],
    )
    for (const id of distinct_ids) await server.sql("INSERT INTO person_distinct_id VALUES (1, $1, $2, 1)", [id, uuid])
  }
}

function storeRecordings(server: QueryCaseServer, nowMs: number): Promise<void> {
  const row = (session_id: string, endMs: number) => ({
    project_id: 1,
    session_id,
    distinct_id: "d1",
    first_timestamp: new Date(endMs - 60_000).toISOString(),
    last_timestamp: new Date(endMs).toISOString(),
    first_url: "https://a.test/",
    click_count: 1,
  })
  return server.store("session_replay_events", [row(S_LIVE, nowMs), row(S_FOUR_DAYS_OLD, nowMs - 4 * DAY_MS)])
}

/** Morning, made by the user, pages 1 to 5, and one of the other user; answers Morning's short id. */
async function createPlaylists(owner: WaymarkApi, otherKey: string): Promise<string> {
  const path = "/api/environments/1/session_recording_playlists/"
  for (const page of [1, 2, 3, 4, 5]) await owner.post(path, { name: `page ${page}`, pinned: page === 1 })
  await new WaymarkApi(owner.url, otherKey).post(path, { name: "Evening" })
  return (await owner.post<{ short_id: string }>(path, { name: "Morning" })).body.short_id
}

async function createPlugin(owner: WaymarkApi): Promise<number> {
  const { createPluginConfig } = await owner.changed<{ createPluginConfig: { id: number } }>(
    `mutation {
      createPluginConfig(input: { name: "Somebody's plugin" }) {
        pluginConfig { id: number } userErrors { message } } }`,
  )
  const entries = ["DEBUG", "LOG", "INFO", "WARN", "ERROR", "INFO"].map((type, index) => ({
    type,
    source: index % 2 === 0 ? "SYSTEM" : "CONSOLE",
    message: index === 2 ? "Somewhere else" : `said ${index}`,
    ...(index < 2 && { timestamp: `2024-03-01T1${index}:00:00Z` }),
  }))
  await owner.changed(
    `mutation ($id: ID!, $entries: [PluginLogInput!]!) {
      appendPluginLogs(input: { pluginConfigId: $id, entries: $entries }) { entryCount userErrors { message } } }`,
    { id: String(createPluginConfig.id), entries },
  )
  return createPluginConfig.id
}
