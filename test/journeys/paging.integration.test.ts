import { describePaging } from "../contract/paging.contract.js"
import { ownApp } from "../support/own-app.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const app = ownApp()
const { api } = app
const PROJECT = "projectId: 1"
const path = (resource: string): string => `/api/environments/1/${resource}/`

/** The short ids of playlists and the numbers of other records, by the names that lists tell. */
const ids = new Map<string, string>()
async function create(resource: string, body: { readonly name: string; readonly [field: string]: unknown }) {
  const answer = await api.post<{ id: number; short_id?: string }>(path(resource), body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  ids.set(body.name, answer.body.short_id ?? String(answer.body.id))
}
const change = <T>(text: string) => api.changed<T>(`mutation { ${text} }`)
const FAULTS = "userErrors { message }"
const softlyDelete = (resource: string, name: string) =>
  api.patch(`${path(resource)}${ids.get(name)}/`, { deleted: true })

describePaging(app, {
  field: "sessionRecordingPlaylists",
  of: PROJECT,
  other: `${PROJECT}, orderBy: NAME`,
  item: "name",
  add: (number) => create("session_recording_playlists", { name: `playlist ${number}` }),
  remove: (name) => softlyDelete("session_recording_playlists", name),
})

describePaging(app, {
  field: "cohorts",
  of: PROJECT,
  other: `${PROJECT}, search: "cohort"`,
  item: "name",
  add: (number) => create("cohorts", { name: `cohort ${number}`, is_static: true }),
  remove: (name) => softlyDelete("cohorts", name),
})

describePaging(app, {
  field: "actions",
  of: PROJECT,
  other: `${PROJECT}, search: "action"`,
  item: "name",
  add: (number) => create("actions", { name: `action ${number}` }),
  remove: (name) => softlyDelete("actions", name),
})

describePaging(app, {
  field: "users",
  of: "",
  other: 'organizationId: "@current"',
  item: "email",
  add: (number) =>
    change(
      `inviteUser(input: { email: "user${number}@a.test", firstName: "U" }) { invited { user { id } } ${FAULTS} }`,
    ),
})

describePaging(app, {
  field: "organizations",
  of: "",
  isInMemory: true,
  item: "name",
  add: (number) =>
    change(`createOrganization(input: { name: "organization ${number}" }) { organization { id } ${FAULTS} }`),
})

describePaging(app, {
  field: "featureFlags",
  of: PROJECT,
  other: `${PROJECT}, orderBy: KEY`,
  item: "key",
  add: async (number) => {
    const answer = await api.post<{ id: number }>(path("feature_flags"), { key: `flag-${number}` })
    ids.set(`flag-${number}`, String(answer.body.id))
  },
  remove: (key) => softlyDelete("feature_flags", key),
})

describePaging(app, {
  field: "featureFlags",
  of: `${PROJECT}, orderBy: CREATED_BY, search: "owned-"`,
  other: `${PROJECT}, orderBy: CREATED_BY, search: "owned-", descending: true`,
  item: "key",
  add: (number) => api.post(path("feature_flags"), { key: `owned-${number}`, name: "long ".repeat(200) }),
})

/** A flag and a playlist with a history, and a plugin with a log; made by the first entry of each. */
const owners = { flag: 0, playlist: "", plugin: 0 }

describePaging(app, {
  field: "featureFlagActivity",
  of: () => `${PROJECT}, id: "${owners.flag}"`,
  other: `${PROJECT}, id: "999999"`,
  item: "id",
  add: async (number) => {
    if (number === 0) owners.flag = (await api.post<{ id: number }>(path("feature_flags"), { key: "history" })).body.id
    else await api.patch(`${path("feature_flags")}${owners.flag}/`, { name: `${number}` })
  },
})

describePaging(app, {
  field: "sessionRecordingPlaylistActivity",
  of: () => `${PROJECT}, id: "${owners.playlist}"`,
  other: `${PROJECT}, id: "abcdefgh"`,
  item: "id",
  add: async (number) => {
    const at = path("session_recording_playlists")
    if (number === 0) owners.playlist = (await api.post<{ short_id: string }>(at, { name: "history" })).body.short_id
    else await api.patch(`${at}${owners.playlist}/`, { description: `${number}` })
  },
})

describePaging(app, {
  field: "activityLog",
  of: `${PROJECT}, scope: ACTION`,
  other: PROJECT,
  item: "id",
  add: (number) => api.post(path("actions"), { name: `logged ${number}` }),
})

describePaging(app, {
  field: "accountActivityLog",
  of: "",
  other: "scope: ORGANIZATION",
  item: "id",
  add: (number) => change(`createOrganization(input: { name: "logged ${number}" }) { organization { id } ${FAULTS} }`),
})

describePaging(app, {
  field: "projects",
  of: "",
  item: "name",
  add: (number) => change(`createProject(input: { name: "project ${number}" }) { project { id } ${FAULTS} }`),
})

describePaging(app, {
  field: "pluginConfigs",
  of: PROJECT,
  other: 'projectId: "2"',
  item: "name",
  add: async (number) => {
    const input = `{ projectId: 1, name: "plugin ${number}" }`
    const { made } = await change<{ made: { number: number } }>(
      `made: createPluginConfig(input: ${input}) { pluginConfig { number } ${FAULTS} }`,
    )
    owners.plugin = made.number
  },
})

describePaging(app, {
  field: "pluginLogs",
  of: () => `${PROJECT}, pluginConfigId: "${owners.plugin}"`,
  other: `${PROJECT}, pluginConfigId: "1"`,
  item: "message",
  // Some entries share a time, so that ids decide.
  add: (number) =>
    change(
      `appendPluginLogs(input: { projectId: 1, pluginConfigId: "${owners.plugin}", entries: [{ message: "m${number}",
        timestamp: "2026-01-01T00:00:0${Math.floor(number / 2)}.123Z" }] }) { entryCount ${FAULTS} }`,
    ),
})

/** Everybody of the project, with the numbers of the events that each sent. */
const send = (distinctId: string, event: string, properties: object = {}, count = 1) =>
  api.post("/batch/", {
    api_key: PROJECT_KEY,
    batch: Array.from({ length: count }, () => ({ event, properties: { distinct_id: distinctId, ...properties } })),
  })

describePaging(app, {
  field: "persons",
  of: PROJECT,
  other: `${PROJECT}, filter: { search: "person" }`,
  item: "name",
  add: (number) => send(`person${number}`, "came", { $set: { name: `person ${number}` } }),
  settle: () => api.drained(),
  remove: async (name) => {
    const found = await api.get<{ results: { id: string }[] }>(`${path("persons")}?search=${encodeURIComponent(name)}`)
    await api.request("DELETE", `${path("persons")}${found.body.results[0]?.id}/`)
  },
})

describePaging(app, {
  field: "groups",
  of: `${PROJECT}, typeIndex: 0`,
  other: `${PROJECT}, typeIndex: 1`,
  item: "key",
  add: (number) =>
    send("grouped", "$groupidentify", { $group_type: "company", $group_key: `g${number}`, $group_set: { a: 1 } }),
  settle: () => api.drained(),
})

describePaging(app, {
  field: "eventActors",
  of: `${PROJECT}, event: "acted"`,
  other: `${PROJECT}, event: "did nothing"`,
  item: "personId",
  // Two have as many events each, so that ids decide.
  add: (number) => send(`actor${number}`, "acted", {}, 1 + Math.floor(number / 2)),
  settle: () => api.drained(),
})

let warned = 0
describePaging(app, {
  field: "ingestionWarnings",
  of: PROJECT,
  other: 'projectId: "2"',
  item: "event",
  add: async (number) => {
    warned = number + 1
    await api.post("/batch/", { api_key: PROJECT_KEY, batch: [{ event: `warned ${number}` }] })
  },
  settle: async () => {
    await waitFor("the warnings", async () => {
      const { page } = await api.graphql<{ page: { totalCount: number } }>(
        `{ page: ingestionWarnings(${PROJECT}) { totalCount } }`,
      )
      return page.totalCount === warned
    })
  },
})

/** A session with clicks, the later the higher its number; those of two numbers are alike but for the time. */
const record = (prefix: string, number: number) => {
  const start = Date.now() - 3_600_000 + number * 60_000
  const clicks = Array.from({ length: 1 + Math.floor(number / 2) }, (_, index) => ({
    type: 3,
    timestamp: start + 1_000 + index * 1_237,
    data: { source: 2, type: 2, id: 1, x: 1, y: 1 },
  }))
  const page = { type: 4, timestamp: start, data: { href: "https://a.test/", width: 1, height: 1 } }
  const properties = { distinct_id: prefix, $session_id: `${prefix}${number}`, $window_id: "w" }
  const $snapshot_data = [page, ...clicks]
  return api.post("/s/", [{ event: "$snapshot", properties: { ...properties, token: PROJECT_KEY, $snapshot_data } }])
}

describePaging(app, {
  field: "sessionRecordings",
  of: PROJECT,
  other: `${PROJECT}, descending: false`,
  item: "sessionId",
  add: (number) => record("first-", number),
  settle: () => api.drained(),
  remove: (id) => api.request("DELETE", `${path("session_recordings")}${id}/`),
})

describePaging(app, {
  field: "sessionRecordings",
  of: `${PROJECT}, orderBy: ACTIVITY_SCORE, filter: { distinctIds: ["scored-"] }`,
  other: `${PROJECT}, orderBy: ACTIVE_SECONDS, filter: { distinctIds: ["scored-"] }`,
  item: "sessionId",
  add: (number) => record("scored-", number),
  settle: () => api.drained(),
})

const chosen = ["scored-4", "scored-0", "scored-2", "scored-1", "scored-3"]
describePaging(app, {
  field: "sessionRecordings",
  of: `${PROJECT}, filter: { sessionIds: ${JSON.stringify([...chosen, "chosen-5"])} }`,
  other: `${PROJECT}, filter: { sessionIds: ${JSON.stringify(chosen)} }`,
  item: "sessionId",
  add: (number) => (number < chosen.length ? Promise.resolve() : record("chosen-", number)),
  settle: () => api.drained(),
})

describePaging(app, {
  field: "sessionRecordingPlaylistRecordings",
  of: () => `${PROJECT}, id: "${owners.playlist}"`,
  other: `${PROJECT}, id: "abcdefgh"`,
  item: "sessionId",
  add: async (number) => {
    await record("attached-", number)
    await api.post(`${path("session_recording_playlists")}${owners.playlist}/recordings/attached-${number}/`, {})
  },
  settle: () => api.drained(),
  remove: (id) => api.request("DELETE", `${path("session_recording_playlists")}${owners.playlist}/recordings/${id}/`),
})
