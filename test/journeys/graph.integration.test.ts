import { beforeAll, describe, expect, test } from "@jest/globals"
import { type Callers, createCallers } from "../support/access-matrix.js"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

interface Node {
  readonly __typename: string
  readonly id: string
}
interface UserError {
  readonly field: string | null
  readonly code: string
  readonly message: string
}

const { api } = ownServer()
let other: { number: number; apiToken: string }
let callers: Callers

beforeAll(async () => {
  const made = await api.changed<{ createProject: typeof other }>(
    'mutation { createProject(input: { name: "Other" }) { project { number apiToken } userErrors { message } } }',
  )
  other = made.createProject
  callers = await createCallers(api, ["cohort:write"], other.number)
  await api.capture({ event: "seen", distinct_id: "ada", properties: { $set: { plan: "pro" } } })
  await api.capture({ event: "seen", distinct_id: "ada", properties: {} }, other.apiToken)
  await api.drained()
})

/** Makes one record of each kind that a person makes, and answers their ids by type. */
async function createRecords(): Promise<Record<string, string>> {
  const { action, cohort, flag, playlist, plugin } = await api.changed<Record<string, { id: string }>>(
    `mutation {
      action: createAction(input: { name: "signed up" }) { action { id } userErrors { message } }
      cohort: createCohort(input: { name: "VIPs", isStatic: true }) { cohort { id } userErrors { message } }
      flag: createFeatureFlag(input: { key: "new-page" }) { featureFlag { id } userErrors { message } }
      playlist: createSessionRecordingPlaylist(input: { name: "Watch" }) {
        sessionRecordingPlaylist { id } userErrors { message } }
      plugin: createPluginConfig(input: { name: "hook" }) { pluginConfig { id } userErrors { message } } }`,
  )
  const read = await api.graphql<Record<string, Node & { organizations?: Node[] }>>(
    `{ Project: project { id } Organization: organization { id } Me: me { id }
       Person: person(by: { distinctId: "ada" }) { id } PersonalApiKey: currentPersonalApiKey { id } }`,
  )
  const { key } = await api.changed<{ key: Node }>(
    "mutation { key: createProjectSecretKey { projectSecretKey { id } userErrors { message } } }",
  )
  await api.changed(
    `mutation ($id: ID!) { appendPluginLogs(input: { pluginConfigId: $id, entries: [{ message: "ready" }] }) {
      entryCount userErrors { message } } }`,
    { id: plugin?.id },
  )
  const { logged, done } = await api.graphql<Record<"logged" | "done", { nodes: Node[] }>>(
    `query ($id: ID!) { logged: pluginLogs(pluginConfigId: $id) { nodes { id } }
      done: activityLog(first: 1) { nodes { id } } }`,
    { id: plugin?.id },
  )
  const { users } = await api.graphql<{ users: { nodes: Node[] } }>("{ users { nodes { id } } }")
  return {
    Action: String(action?.id),
    Cohort: String(cohort?.id),
    FeatureFlag: String(flag?.id),
    SessionRecordingPlaylist: String(playlist?.id),
    PluginConfig: String(plugin?.id),
    User: String(users.nodes[0]?.id),
    // The id that it had when it was made, with its value.
    ProjectSecretKey: String(key.id),
    PluginLogEntry: String(logged.nodes[0]?.id),
    Activity: String(done.nodes[0]?.id),
    ...Object.fromEntries(Object.entries(read).map(([type, { id }]) => [type, id])),
  }
}

describe("the graph", () => {
  test("finds a record of any type by its id, and only for who may see it", async () => {
    const ids = await createRecords()
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }"
    const { nodes } = await api.graphql<{ nodes: Node[] }>(query, { ids: Object.values(ids) })
    expect(nodes).toEqual(Object.entries(ids).map(([__typename, id]) => ({ __typename, id })))

    const ask = async (caller: WaymarkApi, id: string) =>
      (
        await caller.post<{ data: { node: Node | null }; errors?: { extensions: { code: string } }[] }>("/graphql", {
          query: "query ($id: ID!) { node(id: $id) { id } }",
          variables: { id },
        })
      ).body
    expect(await ask(callers.permitted, String(ids.Cohort))).toMatchObject({ data: { node: { id: ids.Cohort } } })
    for (const [caller, code] of [
      ["nobody", "UNAUTHENTICATED"],
      ["withUnknownKey", "UNAUTHENTICATED"],
      ["withoutScope", "FORBIDDEN"],
      ["ofAnotherProject", "FORBIDDEN"],
    ] as const)
      expect(await ask(callers[caller], String(ids.Cohort))).toMatchObject({
        data: { node: null },
        errors: [{ extensions: { code } }],
      })
  })

  test("finds an entry of the audit log for whoever could list it, in a project or outside of any", async () => {
    const { entry, own } = await api.graphql<Record<"entry" | "own", { nodes: Node[] }>>(
      "{ entry: activityLog(first: 1) { nodes { id } } own: accountActivityLog(first: 1) { nodes { id } } }",
    )
    const find = async (caller: WaymarkApi) => {
      const { body } = await caller.post<{ data: { nodes: (Node | null)[] } }>("/graphql", {
        query: "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }",
        variables: { ids: [entry.nodes[0]?.id, own.nodes[0]?.id] },
      })
      return body.data.nodes.map((node) => node !== null)
    }
    const keyOf = async (scopes: string[], projectIds: number[] | null) =>
      new WaymarkApi(api.url, (await makeKey(api, scopes, { projectIds })).value)
    expect(await find(await keyOf(["activity_log:read"], null))).toEqual([true, true])
    expect(await find(await keyOf(["activity_log:read"], [1]))).toEqual([true, false])
    expect(await find(await keyOf(["activity_log:read"], [other.number]))).toEqual([false, false])
    expect(await find(await keyOf(["project:read"], null))).toEqual([false, false])
  })

  test("has other ids for equal identifiers of two projects", async () => {
    const { mine, theirs } = await api.graphql<Record<"mine" | "theirs", Node>>(
      `query ($other: ID) { mine: person(by: { distinctId: "ada" }) { id }
        theirs: person(by: { distinctId: "ada" }, projectId: $other) { id } }`,
      { other: String(other.number) },
    )
    expect(mine.id).not.toBe(theirs.id)
    const { node } = await api.graphql<{ node: { distinctIds: string[]; properties: object } }>(
      "query ($id: ID!) { node(id: $id) { ... on Person { distinctIds properties } } }",
      { id: mine.id },
    )
    expect(node).toEqual({ distinctIds: ["ada"], properties: expect.objectContaining({ plan: "pro" }) })
  })

  test("has the lists of a project, each for keys with its scope", async () => {
    const query = `query ($token: String!) { project(by: { token: $token }) { number
      persons { nodes { distinctIds } } cohorts { totalCount } featureFlags { totalCount } actions { totalCount }
      sessionRecordings { totalCount } sessionRecordingPlaylists { totalCount } pluginConfigs { totalCount }
      groups(typeIndex: 0) { totalCount } activityLog { totalCount } } }`
    const { project } = await api.graphql<{ project: object }>(query, { token: PROJECT_KEY })
    expect(project).toMatchObject({ number: 1, persons: { nodes: [{ distinctIds: ["ada"] }] } })

    const narrow = new WaymarkApi(api.url, (await makeKey(api, ["project:read", "cohort:read"])).value)
    const { body } = await narrow.post<{ data: object; errors: { message: string; path: string[] }[] }>("/graphql", {
      query: "{ project { number cohorts { totalCount } persons { totalCount } } }",
    })
    expect(body.data).toMatchObject({ project: { number: 1, cohorts: { totalCount: 1 }, persons: null } })
    expect(body.errors).toMatchObject([
      { message: "API key missing required scope 'person:read'", path: ["project", "persons"] },
    ])
  })
})

describe("a change", () => {
  test("takes the id of the graph and needs no project, or what is documented", async () => {
    const { createCohort: cohort } = await api.changed<{ createCohort: Node & { number: number } }>(
      `mutation ($project: ID!) {
        createCohort(input: { name: "Theirs", isStatic: true, projectId: $project }) {
          cohort { id number } userErrors { message } } }`,
      { project: String(other.number) },
    )
    const update = `mutation ($input: AddCohortMembersInput!) {
      addCohortMembers(input: $input) { memberCount cohort { id name } userErrors { message } } }`
    const added = { memberCount: 1, cohort: { id: cohort.id, name: "Theirs" }, userErrors: [] }
    for (const input of [
      { id: cohort.id, distinctIds: ["ada"] },
      { id: String(cohort.number), projectId: other.number, distinctIds: ["ada"] },
      { id: cohort.id, projectId: other.apiToken, distinctIds: ["ada"] },
    ])
      expect(await api.graphql(update, { input })).toEqual({ addCohortMembers: added })
    const mixed = await api.graphql<{ addCohortMembers: { userErrors: UserError[] } }>(update, {
      input: { id: cohort.id, projectId: "1", distinctIds: ["ada"] },
    })
    expect(mixed.addCohortMembers).toEqual({
      memberCount: null,
      cohort: null,
      userErrors: [{ message: "The id is of another project than the one that is named." }],
    })
  })

  test("says in its payload what a person can correct, and leaves the other changes of a document alone", async () => {
    const { blank, good } = await api.graphql<Record<"blank" | "good", { userErrors: UserError[] }>>(
      `mutation {
        blank: createOrganization(input: { name: " " }) { organization { id } userErrors { field code message } }
        good: createAction(input: { name: "left" }) { action { name } userErrors { field code message } } }`,
    )
    expect(blank).toEqual({
      organization: null,
      userErrors: [{ field: "name", code: "BLANK", message: "This field may not be blank." }],
    })
    expect(good).toEqual({ action: { name: "left" }, userErrors: [] })
  })

  test("that fails otherwise is an error beside what was done", async () => {
    const { body } = await api.post<{ data: object; errors: { extensions: { code: string } }[] }>("/graphql", {
      query: `mutation {
        done: createAction(input: { name: "came" }) { action { name } userErrors { message } }
        lost: updateAction(input: { id: 999999, name: "x" }) { action { name } userErrors { message } } }`,
    })
    expect(body.data).toEqual({ done: { action: { name: "came" }, userErrors: [] }, lost: null })
    expect(body.errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }])
  })
})
