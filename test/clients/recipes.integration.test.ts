import { createHash } from "node:crypto"
import type { ApolloClient } from "@apollo/client"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Client as UrqlClient } from "@urql/core"
import { type DocumentNode, print } from "graphql"
import type { Client as SocketClient } from "graphql-ws"
import { WebSocket } from "ws"
import { ownServer } from "../support/own-server.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"
import { createApollo } from "./create-apollo.js"
import { createSocket } from "./create-socket.js"
import { createUrql } from "./create-urql.js"
import * as recipe from "./generated/graphql.js"
import { readVariables } from "./recipe.js"

const { api } = ownServer()
let apollo: ApolloClient
let urql: UrqlClient
let socket: SocketClient

/** Sends a document as it stands, without a key. */
async function post(document: DocumentNode, variables: object): Promise<unknown> {
  const response = await fetch(`${api.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: print(document), variables }),
  })
  return response.json()
}

beforeAll(async () => {
  apollo = createApollo(api.url, PERSONAL_KEY)
  urql = createUrql(api.url, PERSONAL_KEY)
  socket = createSocket(api.url, PERSONAL_KEY)
  const { input } = readVariables(recipe.CaptureEventsDocument)
  const answer = await post(recipe.CaptureEventsDocument, { input: { ...input, apiKey: PROJECT_KEY } })
  expect(answer).toMatchObject({ data: { captureBatch: { captured: { accepted: 3, dropped: [] }, userErrors: [] } } })
  await api.drained()
})
afterAll(async () => {
  apollo?.stop()
  await socket?.dispose()
})

describe("Apollo Client", () => {
  test("joins the pages of a connection", async () => {
    const query = recipe.ListPersonsDocument
    const variables = readVariables(query)
    const first = await apollo.query({ query, variables })
    const { endCursor, hasNextPage } = first.data?.persons?.pageInfo ?? {}
    expect(hasNextPage).toBe(true)
    await apollo.watchQuery({ query, variables }).fetchMore({ variables: { after: endCursor } })
    const kept = apollo.readQuery({ query, variables })
    expect(kept?.persons?.edges.map(({ node }) => node.name).sort()).toEqual(["Ada", "Bob"])
    expect(kept?.persons?.pageInfo.hasNextPage).toBe(false)
  })

  test("shows the new name of a record in a list that it does not ask for again", async () => {
    const variables = readVariables(recipe.CreateCohortDocument)
    const made = await apollo.mutate({ mutation: recipe.CreateCohortDocument, variables })
    expect(made.data?.createCohort).toMatchObject({ cohort: { name: "VIPs", isStatic: true }, userErrors: [] })
    await apollo.query({ query: recipe.ListCohortsDocument })
    const id = made.data?.createCohort?.cohort?.id ?? ""
    await apollo.mutate({
      mutation: recipe.RenameCohortDocument,
      variables: readVariables(recipe.RenameCohortDocument, { id }),
    })
    const kept = apollo.readQuery({ query: recipe.ListCohortsDocument })
    expect(kept?.cohorts?.nodes).toMatchObject([{ id, name: "Very important people" }])
  })

  test("is told by a payload what a person can correct", async () => {
    const { data } = await apollo.mutate({
      mutation: recipe.CreateCohortDocument,
      variables: { input: { name: "x".repeat(401) } },
    })
    expect(data?.createCohort).toMatchObject({ cohort: null, userErrors: [{ field: "name", code: "MAX_LENGTH" }] })
  })

  test("walks from a person to events and recordings", async () => {
    const { data } = await apollo.query({
      query: recipe.PersonProfileDocument,
      variables: readVariables(recipe.PersonProfileDocument),
    })
    expect(data?.person).toMatchObject({ name: "Ada", properties: { name: "Ada" }, recordings: { nodes: [] } })
    expect(data?.person?.events?.map(({ event }) => event).sort()).toEqual(["paid", "signed up"])
  })

  test("gets a table, a trend and a funnel with their types", async () => {
    const table = await apollo.query({
      query: recipe.EventsByNameDocument,
      variables: readVariables(recipe.EventsByNameDocument),
    })
    expect(table.data?.query).toMatchObject({
      columns: [{ name: "event" }, { name: "events" }],
      rows: [["signed up", 2]],
      hasMore: false,
    })
    const trend = await apollo.query({
      query: recipe.SignUpsByPlanDocument,
      variables: readVariables(recipe.SignUpsByPlanDocument),
    })
    const lines = trend.data?.query?.__typename === "TrendsResult" ? trend.data.query.series : []
    expect(lines.map(({ label }) => label).sort()).toEqual(["free", "pro"])
    expect(lines.map(({ points }) => points.reduce((sum, { value }) => sum + (value ?? 0), 0))).toEqual([1, 1])
    const funnel = await apollo.query({
      query: recipe.SignUpToPaymentDocument,
      variables: readVariables(recipe.SignUpToPaymentDocument),
    })
    const groups = funnel.data?.query?.__typename === "FunnelResult" ? funnel.data.query.groups : []
    expect(groups.map(({ steps }) => steps.map(({ count }) => count))).toEqual([[2, 1]])
  })

  test("finds records of several types by their ids", async () => {
    const cohorts = await apollo.query({ query: recipe.ListCohortsDocument })
    const project = await apollo.query({ query: recipe.CurrentProjectDocument })
    const ids = [cohorts.data?.cohorts?.nodes[0]?.id, project.data?.project?.id, "no id"].map(String)
    const { data } = await apollo.query({ query: recipe.FindRecordsDocument, variables: { ids } })
    expect(data?.nodes).toMatchObject([{ id: ids[0], cohortName: "Very important people" }, { id: ids[1] }, null])
  })
})

describe("urql with its normalised cache", () => {
  test("shows a switched flag in a list that it does not ask for again", async () => {
    const variables = readVariables(recipe.CreateFlagDocument)
    const made = await urql.mutation(recipe.CreateFlagDocument, variables).toPromise()
    expect(made.data?.createFeatureFlag).toMatchObject({ featureFlag: { active: true }, userErrors: [] })
    const { id = "", version } = made.data?.createFeatureFlag?.featureFlag ?? {}
    const listed = await urql.query(recipe.ListFlagsDocument, {}).toPromise()
    expect(listed.data?.featureFlags?.edges).toMatchObject([{ node: { id, active: true } }])

    const switched = readVariables(recipe.SwitchFlagDocument, { id, version })
    await urql.mutation(recipe.SwitchFlagDocument, switched).toPromise()
    const kept = urql.readQuery(recipe.ListFlagsDocument, {})
    expect(kept?.data?.featureFlags?.edges).toMatchObject([{ node: { id, active: false } }])

    const late = await urql.mutation(recipe.SwitchFlagDocument, { ...switched, active: true }).toPromise()
    expect(late).toMatchObject({
      data: { updateFeatureFlag: { featureFlag: null, userErrors: [{ code: "CONFLICT" }] } },
    })
    await urql.mutation(recipe.SwitchFlagDocument, { id, active: true }).toPromise()
  })
})

describe("graphql-ws", () => {
  test("tells each state of a query and then its answer", async () => {
    const seen: (recipe.FollowQuerySubscription["query"] | undefined)[] = []
    for await (const { data } of socket.iterate<recipe.FollowQuerySubscription>({
      query: print(recipe.FollowQueryDocument),
      variables: { ...readVariables(recipe.FollowQueryDocument) },
    }))
      seen.push(data?.query)
    expect(seen[0]).toMatchObject({ __typename: "QueryRun" })
    expect(seen.at(-1)).toMatchObject({ __typename: "HogQLResult", rows: [[3]] })
  })

  test("follows runs to their end over a connection that breaks", async () => {
    const started = await apollo.mutate({
      mutation: recipe.StartRunDocument,
      variables: readVariables(recipe.StartRunDocument),
    })
    const id = started.data?.startQuery?.queryRun?.id ?? ""
    const breaking = createSocket(api.url, PERSONAL_KEY)
    let connections = 0
    breaking.on("connected", (connection) => {
      connections++
      if (connections === 1 && connection instanceof WebSocket) connection.terminate()
    })
    const states: (string | undefined)[] = []
    for await (const { data } of breaking.iterate<recipe.FollowRunsSubscription>({
      query: print(recipe.FollowRunsDocument),
      variables: { ids: [id] },
    }))
      states.push(data?.queryStatuses.state)
    await breaking.dispose()
    expect(connections).toBe(2)
    expect(states.at(-1)).toBe("COMPLETE")
  })
})

describe("nothing but fetch", () => {
  test("decides flags with the public key", async () => {
    const { input } = readVariables(recipe.DecideFlagsDocument)
    expect(await post(recipe.DecideFlagsDocument, { input: { ...input, apiKey: PROJECT_KEY } })).toMatchObject({
      data: { flagDecision: { flags: [{ key: "new-page", enabled: true }], errorsWhileComputingFlags: false } },
    })
  })

  test("asks why a flag has its value", async () => {
    const variables = { ...readVariables(recipe.WhyThisFlagDocument) }
    const answer = await api.graphql<recipe.WhyThisFlagQuery>(print(recipe.WhyThisFlagDocument), variables)
    expect(answer.featureFlag?.explain).toMatchObject({
      decision: { enabled: true },
      conditions: [{ matched: true, filters: [{ key: "name", matched: true }] }],
    })
  })

  test("takes a kept answer or none", async () => {
    const variables = { ...readVariables(recipe.KeptOverviewDocument) }
    const answer = await api.graphql<recipe.KeptOverviewQuery>(print(recipe.KeptOverviewDocument), variables)
    expect(answer.query).toMatchObject({ __typename: "CacheMiss", key: expect.any(String) })
  })

  test("sends a hash, once with the document, and is answered 304 while nothing has changed", async () => {
    const query = print(recipe.CurrentProjectDocument)
    const sha256Hash = createHash("sha256").update(query).digest("hex")
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
    const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
      api.request<{ data: recipe.CurrentProjectQuery; errors?: readonly { extensions: { code: string } }[] }>(
        "GET",
        `/graphql?${new URLSearchParams(parameters)}`,
        undefined,
        headers,
      )
    expect((await get({ extensions })).body.errors?.[0]?.extensions.code).toBe("PERSISTED_QUERY_NOT_FOUND")
    expect((await get({ query, extensions })).body.data.project).toMatchObject({ number: 1 })
    const known = await get({ extensions })
    expect(known.body.data.project).toMatchObject({ number: 1 })
    expect((await get({ extensions }, { "If-None-Match": known.headers.get("etag") ?? "" })).status).toBe(304)
  })
})
