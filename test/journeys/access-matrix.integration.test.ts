import "reflect-metadata"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { buildSchema } from "graphql"
import { type Client, createClient } from "graphql-ws"
import WebSocket from "ws"
import { printedSchema } from "../../src/app/create-schema.js"
import { graphqlRows, hostileOperations, openFields, subscriptions } from "../support/matrix/graphql-rows.js"
import { createMatrixCallers, type MatrixCallers } from "../support/matrix/matrix-callers.js"
import type { MatrixRow } from "../support/matrix/matrix-row.js"
import { MARK, plantRecords, type RecordIds, UNKNOWN_IDS } from "../support/matrix/planted-records.js"
import { publicRows } from "../support/matrix/public-rows.js"
import { refusedRows, restRows, restScopesThatDiffer } from "../support/matrix/rest-rows.js"
import { scopesByOperation } from "../support/operation-scopes.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import type { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"
import { hostileHttpCases, sendHostile } from "../transport/support/hostile-cases.js"

const UNKNOWN_PROJECT = 471_100

const schema = buildSchema(await printedSchema())
const rows: readonly MatrixRow[] = [...restRows, ...graphqlRows(schema)]
const named = rows.map((row) => [row.name, row] as const)
const AT_ONCE = 4
/** Which recordings somebody has seen is theirs. */
const OWN_NOTES = /markSessionRecording|^PATCH .*session_recordings|bulk_(not_)?viewed/
const ROUNDS_AFTER_SUBSCRIBING = 20
const { api } = ownServer()
let ids: RecordIds
let callers: MatrixCallers

beforeAll(async () => {
  ids = await plantRecords(api, 1, PROJECT_KEY, MARK)
  const demands = [...rows, ...scopesByOperation().values()]
  callers = await createMatrixCallers(
    api,
    demands.flatMap(({ scope }) => scope ?? []),
  )
})

describe("the tables that the matrix is made of", () => {
  test("agree on the scope of what REST and GraphQL share", () => {
    expect(restScopesThatDiffer).toEqual([])
  })

  test("leave open only what asks for a project's public key, and what leaves the guard to other operations", () => {
    expect(openFields(schema)).toEqual([
      "Query.flagDecision",
      "Query.node",
      "Query.nodes",
      "Query.sharedDashboard",
      "Mutation.capture",
      "Mutation.captureBatch",
    ])
  })
})

const refusal = (status: number, detail: string) => ({ status, detail })

describe("every operation", () => {
  test.each(named)("%s is refused without a key and with an unknown one", async (_name, row) => {
    expect((await row.ask(callers.nobody, 1, ids)).fault).toMatchObject(
      refusal(401, "Authentication credentials were not provided."),
    )
    expect((await row.ask(callers.withUnknownKey, 1, ids)).fault).toMatchObject(
      refusal(401, "Personal API key found in request Authorization header is invalid."),
    )
  })

  test.each(named)("%s is refused to a key without its scope", async (_name, row) => {
    if (row.scope === null) expect((await row.ask(callers.without("none"), 1, ids)).fault).toBeNull()
    else
      expect((await row.ask(callers.without(row.scope), 1, ids)).fault).toMatchObject(
        refusal(403, `API key missing required scope '${row.scope}'`),
      )
  })

  const changing = named.filter(([, { isOfProject, scope }]) => isOfProject && scope?.endsWith(":write"))
  test.each(changing)("%s is refused to viewers, unless it is about them alone", async (name, row) => {
    const { fault } = await row.ask(callers.viewer, 1, UNKNOWN_IDS)
    if (OWN_NOTES.test(name)) expect([401, 403]).not.toContain(fault?.status)
    else
      expect(fault).toMatchObject(
        refusal(403, "Viewers change nothing. This needs the role of member in the organization."),
      )
  })

  test.each(named)("%s is refused to keys and users of other projects", async (_name, row) => {
    const bound = (await row.ask(callers.boundToOtherProject, 1, ids)).fault
    if (row.isOfProject) {
      expect(bound).toMatchObject(refusal(403, "API key does not have access to the requested project: ID 1."))
      expect((await row.ask(callers.boundToOtherOrganization, 1, ids)).fault?.detail).toMatch(
        /^API key does not have access to the requested organization: ID [0-9a-f-]{36}\.$/,
      )
      const foreign = (await row.ask(callers.stranger, 1, ids)).fault
      // Some rows name the project by its public key, and answer as for a key that nobody has.
      if (foreign?.status === 401) expect(foreign.detail).toMatch(/^The project API key is not valid/)
      else {
        expect(foreign).toMatchObject(refusal(404, "Project not found."))
        expect((await row.ask(callers.stranger, UNKNOWN_PROJECT, ids)).fault).toEqual(foreign)
      }
    } else if (row.isOpenToBoundKeys) expect(bound).toBeNull()
    else
      expect(bound).toMatchObject(
        refusal(403, "API keys with scoped projects are only supported on project-based endpoints."),
      )
    if (row.isOfOrganization) {
      expect((await row.ask(callers.boundToOtherOrganization, 1, ids)).fault).toMatchObject(
        refusal(403, `API key does not have access to the requested organization: ID ${ids.organization}.`),
      )
      expect((await row.ask(callers.stranger, 1, ids)).fault).toMatchObject(refusal(404, "Organization not found."))
    }
  })

  test.each(named)("%s shows nothing of another project, whatever ids are asked for", async (_name, row) => {
    const project = callers.strangersProject.id
    const withForeignIds = await row.ask(callers.stranger, project, ids)
    expect(withForeignIds.text).not.toContain(MARK)
    const withUnknownIds = await row.ask(callers.stranger, project, UNKNOWN_IDS)
    expect(withForeignIds.fault?.status).toBe(withUnknownIds.fault?.status)
    expect(withForeignIds.fault?.code).toBe(withUnknownIds.fault?.code)
  })

  test.each(named)("%s lets the right key in", async (_name, row) => {
    const { fault } = await row.ask(callers.permitted(row.scope), 1, row.isWriting ? UNKNOWN_IDS : ids)
    expect([401, 403, undefined]).not.toContain(fault === null ? 200 : fault.status)
    expect(fault?.status ?? 200).toBeLessThan(500)
    expect(fault?.code).not.toBe("COST_LIMIT")
    if (!row.isWriting) expect(fault?.status).not.toBe(404)
  })
})

describe("every action that is for nobody's key", () => {
  test.each(refusedRows.map((row) => [row.name, row] as const))("%s is refused to all of them", async (_name, row) => {
    const detail = "This action does not support personal API key access"
    expect((await row.ask(callers.nobody)).fault?.status).toBe(401)
    expect((await row.ask(callers.withUnknownKey)).fault?.status).toBe(401)
    for (const caller of [api, callers.without("none"), callers.boundToOtherProject, callers.stranger])
      expect((await row.ask(caller)).fault).toMatchObject({ ...refusal(403, detail), code: "permission_denied" })
  })
})

describe("every path that takes a project's public key", () => {
  const publics = publicRows.map((row) => [row.name, row] as const)
  const subjectOf = (caller: string, name: string) => `${caller}-${name.replaceAll(/[^a-z0-9]+/gi, "-")}`

  test.each(publics)("%s is refused without a key, with an unknown one and with a personal one", async (name, row) => {
    for (const [caller, key, status] of [
      ["none", null, row.withoutKey],
      ["unknown", "phc_unknown", row.withWrongKey],
      ["personal", PERSONAL_KEY, row.withWrongKey],
    ] as const) {
      const { fault, text } = await row.ask(api.url, key, subjectOf(caller, name))
      expect({ caller, status: fault?.status ?? 200 }).toEqual({ caller, status })
      expect(text).not.toContain(MARK)
    }
  })

  test.each(publics)("%s serves each project's key with its own project", async (name, row) => {
    const refused = (fault: { status: number } | null) => fault !== null && [401, 403].includes(fault.status)
    const theirs = await row.ask(api.url, callers.strangersProject.apiToken, subjectOf("theirs", name))
    expect(refused(theirs.fault)).toBe(false)
    expect(theirs.text).not.toContain(MARK)
    const ask = () => row.ask(api.url, PROJECT_KEY, subjectOf("own", name))
    // Of what is not in memory yet a decision may be made without: it is asked again.
    if (row.showsFlags) await waitFor("the flag", async () => (await ask()).text.includes(MARK))
    else expect(refused((await ask()).fault)).toBe(false)
  })

  test("leave what they send in the project of the key, and nothing where there was none", async () => {
    await api.drained()
    const storing = (what: string, caller: string) =>
      publicRows.flatMap(({ name, stores }) => (stores === what ? [subjectOf(caller, name)] : [])).sort()
    for (const [caller, { project, as }] of Object.entries({
      own: { project: 1, as: api },
      theirs: { project: callers.strangersProject.id, as: callers.stranger },
    })) {
      const subjects = "^(none|unknown|personal|own|theirs)-"
      const { body: events } = await as.post<{ results: [string][] }>(`/api/environments/${project}/query/`, {
        query: {
          kind: "HogQLQuery",
          query: `SELECT DISTINCT distinct_id FROM events WHERE distinct_id =~ '${subjects}' ORDER BY 1`,
        },
        refresh: "force_blocking",
      })
      expect(events.results.map(([id]) => id)).toEqual(storing("events", caller))
      const { body: recordings } = await as.get<{ results: { id: string }[] }>(
        `/api/environments/${project}/session_recordings/?limit=1000`,
      )
      const ids = recordings.results.map(({ id }) => id).filter((id) => new RegExp(subjects).test(id))
      expect(ids.sort()).toEqual(storing("a recording", caller))
    }
  })
})

describe("every path that takes no key at all", () => {
  test.each(["/_livez", "/_readyz", "/metrics", "/api/schema/", "/graphql"])(
    "%s answers everybody alike and tells nothing of any project",
    async (path) => {
      for (const caller of [callers.nobody, callers.withUnknownKey, callers.stranger, api]) {
        const { status, body } = await caller.request("GET", path, undefined, { accept: "text/html, */*;q=0.1" })
        expect(status).toBe(200)
        expect(JSON.stringify(body)).not.toContain(MARK)
      }
    },
  )
})

describe("the records of project 1", () => {
  test("are all there still, as their owner sees them", async () => {
    const reading = restRows.filter(({ name, isWriting }) => !isWriting && /:(?:id|short_id)$/.test(name))
    expect(reading.length).toBeGreaterThan(4)
    for (const row of reading) {
      const { text } = await row.ask(api, 1, ids)
      expect({ row: row.name, text }).toMatchObject({ text: expect.stringContaining(MARK) })
    }
  })
})

describe("hostile documents and bodies", () => {
  test.each(hostileHttpCases.map((one) => [one.id, one.why, one] as const))("%s: %s", async (_id, _why, one) => {
    for (const key of [PERSONAL_KEY, null]) {
      const { status, text } = await sendHostile(api.url, one, key)
      expect({ status, text: text.slice(0, 500) }).toEqual({
        status: expect.any(Number),
        text: expect.not.stringMatching(/INTERNAL|STORE_UNAVAILABLE|stacktrace|node_modules/),
      })
      expect(status).toBeLessThan(500)
      if (one.expect === "reject" || one.expect === "4xx") expect(status).toBeGreaterThanOrEqual(400)
      if (one.expect === "405") expect(status).toBe(405)
      if (one.expect === "200") expect(status).toBe(200)
    }
  })
})

describe("hostile values", () => {
  test("in any argument or input field are refused or used, and never a fault of the server", async () => {
    const { id, apiToken } = callers.strangersProject
    const own = await plantRecords(callers.stranger, id, apiToken, "mine")
    const operations = hostileOperations(schema, id, own)
    expect(operations.length).toBeGreaterThan(500)
    const broken: unknown[] = []
    const send = async ({ place, value, ...operation }: (typeof operations)[number]): Promise<void> => {
      const answer = await callers.stranger.post<{ errors?: { extensions: { code: string } }[] }>("/graphql", operation)
      const code = answer.body.errors?.[0]?.extensions.code ?? "none"
      if (answer.status >= 500 || /INTERNAL|STORE_UNAVAILABLE/.test(code))
        broken.push({ place, value: JSON.stringify(value)?.slice(0, 80), code, body: answer.body })
    }
    const [reading, writing] = [true, false].map((isQuery) =>
      operations.filter(({ place }) => place.startsWith("Query.") === isQuery),
    )
    for (let from = 0; from < (reading?.length ?? 0); from += AT_ONCE)
      await Promise.all(reading?.slice(from, from + AT_ONCE).map(send) ?? [])
    // One after the other: several changes of one record at once are another test's matter.
    for (const operation of writing ?? []) await send(operation)
    expect(broken).toEqual([])
  }, 300_000)
})

describe("every subscription", () => {
  const fields = Object.keys(schema.getSubscriptionType()?.getFields() ?? {})

  test.each(fields)(
    "%s is refused without a key, with a wrong one and to other projects, and let in with its scope",
    async (name) => {
      const wanted = subscriptions(schema, ids).find((one) => one.name === name)
      if (wanted === undefined) throw new Error(`no operation for ${name}`)
      const { operation, scope } = wanted
      const { nobody, withUnknownKey, boundToOtherProject, boundToOtherOrganization, stranger } = callers
      const refused = [
        nobody,
        withUnknownKey,
        callers.without(scope),
        boundToOtherProject,
        boundToOtherOrganization,
        stranger,
      ]
      for (const caller of refused) {
        const watched = watch(caller, operation)
        const faults = await waitFor("the refusal", () => watched.faults.length > 0 && watched.faults)
        expect(faults.join()).toMatch(REFUSAL)
        expect(watched.received).toEqual([])
        await watched.client.dispose()
      }
      const watched = watch(callers.permitted(scope), operation)
      // A refusal comes at once: it would be there before the answers to what is asked afterwards on the same socket.
      for (let round = 0; round < ROUNDS_AFTER_SUBSCRIBING; round++) await askOn(watched.client)
      // A sample of an input may be refused for what it asks, not for who asks.
      expect(watched.faults.filter((fault) => REFUSAL.test(fault))).toEqual([])
      await watched.client.dispose()
    },
  )
})

const REFUSAL = /UNAUTHENTICATED|FORBIDDEN|NOT_FOUND|4401|4403/

/** Asks something on a socket and waits for the answer. */
const askOn = (client: Client): Promise<void> =>
  new Promise((resolve, reject) => {
    client.subscribe({ query: "{ __typename }" }, { next: () => undefined, error: reject, complete: resolve })
  })

function watch(caller: WaymarkApi, operation: { query: string; variables: Readonly<Record<string, unknown>> }) {
  const received: unknown[] = []
  const faults: string[] = []
  const client: Client = createClient({
    url: `${caller.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(caller.personalKey !== null && { connectionParams: { Authorization: `Bearer ${caller.personalKey}` } }),
  })
  client.subscribe(
    { query: operation.query, variables: { ...operation.variables } },
    {
      next: ({ data, errors }) => {
        if (data) received.push(data)
        for (const error of errors ?? []) faults.push(String(error.extensions?.code))
      },
      error: (fault) => {
        const closed = fault as { code?: number }
        faults.push(closed.code === undefined ? JSON.stringify(fault) : String(closed.code))
      },
      complete: () => undefined,
    },
  )
  return { received, faults, client }
}
