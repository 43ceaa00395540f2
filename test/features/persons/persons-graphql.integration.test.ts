import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type GraphQLSchema, graphql } from "graphql"
import { buildSchema } from "type-graphql"
import { AppendSignal, createIngestionFeature, IngestionResolver } from "../../../src/features/ingestion/index.js"
import { createPersonsFeature, derivePersonId, personResolverClasses } from "../../../src/features/persons/index.js"
import { AppError } from "../../../src/kernel/errors.js"
import type { ProjectId } from "../../../src/kernel/ids.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { runTransaction } from "../../../src/platform/postgres/open-pool.js"
import { switchedOnGeoIp } from "../../support/geo-ip-plugin.js"
import { createManualClock } from "../../support/manual-clock.js"
import { Journey, NO_RECORDINGS, NOW_MS, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { ALONE } from "./persons-app.js"

let stores: RealStores
let schema: GraphQLSchema
beforeAll(async () => {
  stores = await startRealStores()
  const { pool, clickHouse } = stores
  const shared = { clickHouse, clock: createManualClock(NOW_MS), logger: silentLogger }
  const database = {
    pool,
    searchPool: pool,
    ownerPool: pool,
    transaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(pool, work),
  }
  const persons = createPersonsFeature({ ...ALONE, ...shared, database })
  const ingestion = createIngestionFeature({
    ...shared,
    database,
    ids: createIds(),
    geoIp: null,
    geoIpPlugin: switchedOnGeoIp,
    signal: new AppendSignal(),
    crashPoints: null,
    mergeListeners: [],
    snapshots: NO_RECORDINGS,
    announceStored: () => undefined,
    deletions: persons.copies,
    deadLetterDays: 30,
    shardCount: 4,
  })
  const instances = new Map<unknown, object>([
    ...persons.resolvers.map((resolver): [unknown, object] => [resolver.constructor, resolver]),
    ...ingestion.resolvers.map((resolver): [unknown, object] => [resolver.constructor, resolver]),
  ])
  schema = await buildSchema({
    resolvers: [...personResolverClasses, IngestionResolver],
    container: { get: (resolver: unknown) => instances.get(resolver) },
    validate: false,
  })
})
afterAll(() => stores.stop())

/** Runs an operation as a caller who may do `scope` in one project. */
async function run(projectId: ProjectId, scope: string, source: string): Promise<Record<string, unknown>> {
  const loaders = new Map<unknown, unknown>()
  const check = (asked: string): void => {
    if (asked !== scope) throw new AppError("permission_denied")
  }
  const contextValue = {
    loader: (factory: () => unknown) => {
      if (!loaders.has(factory)) loaders.set(factory, factory())
      return loaders.get(factory)
    },
    access: {
      requireProject: async (_context: unknown, _raw: string, asked: string) => {
        check(asked)
        return projectId
      },
      requirePrincipal: async (_context: unknown, asked: string) => check(asked),
    },
  }
  const { data, errors } = await graphql({ schema, source, contextValue })
  if (errors !== undefined) throw errors[0]?.originalError ?? errors[0]
  return JSON.parse(JSON.stringify(data))
}

async function journeyOfTwo(): Promise<Journey> {
  const journey = new Journey(stores)
  await journey.append(
    sent("$identify", "alice", {
      properties: { $anon_distinct_id: "0198f7c0-1111-7000-8000-000000000001", $set: { email: "alice@example.com" } },
    }),
    sent("$pageview", "bob", { timestamp: new Date(NOW_MS - 1000).toISOString() }),
    sent("$groupidentify", "alice", {
      properties: { $group_type: "company", $group_key: "acme", $group_set: { name: "Acme" } },
    }),
  )
  await journey.work()
  return journey
}

describe("GraphQL on persons", () => {
  test("shows a page with names and all distinct ids", async () => {
    const { projectId } = await journeyOfTwo()
    const answer = await run(
      projectId,
      "person:read",
      "{ persons(first: 2) { totalCount nodes { id name distinctIds isIdentified createdAt properties } } }",
    )
    expect(answer).toEqual({
      persons: {
        totalCount: 2,
        nodes: [
          {
            id: derivePersonId(projectId, "alice"),
            name: "alice@example.com",
            distinctIds: ["alice", "0198f7c0-1111-7000-8000-000000000001"],
            isIdentified: true,
            createdAt: "2025-06-01T12:00:00.000Z",
            properties: expect.objectContaining({ email: "alice@example.com" }),
          },
          expect.objectContaining({ name: "bob", distinctIds: ["bob"], isIdentified: false }),
        ],
      },
    })
  })

  test("finds one person by a distinct id, and nobody by an unknown one", async () => {
    const { projectId } = await journeyOfTwo()
    const answer = await run(
      projectId,
      "person:read",
      `{ known: person(distinctId: "bob") { id } unknown: person(distinctId: "eve") { id }
        nulled: person(id: null, distinctId: "bob") { id } }`,
    )
    const bob = { id: derivePersonId(projectId, "bob") }
    expect(answer).toEqual({ known: bob, unknown: null, nulled: bob })
  })

  test("deletes a person, once", async () => {
    const { projectId } = await journeyOfTwo()
    const source = `mutation { deletePerson(id: "${derivePersonId(projectId, "bob")}") }`
    expect(await run(projectId, "person:write", source)).toEqual({ deletePerson: true })
    await expect(run(projectId, "person:write", source)).rejects.toMatchObject({ code: "not_found" })
    await expect(run(projectId, "person:read", source)).rejects.toMatchObject({ code: "permission_denied" })
  })

  test("lists group types and groups", async () => {
    const { projectId } = await journeyOfTwo()
    const source = `{ groupTypes { typeIndex name } groups(typeIndex: 0, search: "ACM") { totalCount nodes { key properties } } }`
    expect(await run(projectId, "group:read", source)).toEqual({
      groupTypes: [{ typeIndex: 0, name: "company" }],
      groups: { totalCount: 1, nodes: [{ key: "acme", properties: { name: "Acme" } }] },
    })
  })

  test("tells how far ingestion is behind", async () => {
    const { projectId } = await journeyOfTwo()
    const answer = await run(
      projectId,
      "ingestion_warning:read",
      "{ ingestionLag { accepted stored oldestUnstoredSeconds } }",
    )
    expect(answer).toEqual({
      ingestionLag: { accepted: expect.any(Number), stored: expect.any(Number), oldestUnstoredSeconds: 0 },
    })
  })
})
