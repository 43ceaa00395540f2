import { createPubSub } from "@graphql-yoga/subscription"
import DataLoader from "dataloader"
import { type GraphQLSchema, graphql } from "graphql"
import { buildSchema } from "type-graphql"
import { createActivityReader } from "../../../src/features/access/activity/activity.store.js"
import { accessEntities } from "../../../src/features/access/index.js"
import { CohortsResolver, cohortEntities, createCohortsFeature } from "../../../src/features/cohorts/index.js"
import type { KeyedProject } from "../../../src/features/flags/flags.types.js"
import {
  checkCohortLeaf,
  createFlagsFeature,
  findUndecidable,
  flagEntities,
  flagResolverClasses,
} from "../../../src/features/flags/index.js"
import { projectEntities } from "../../../src/features/projects/index.js"
import { AppError } from "../../../src/kernel/errors.js"
import { asProjectId, asUserId, type UserId } from "../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import type { RequestContext } from "../../../src/kernel/request-context.js"
import { createInProcessCounters } from "../../../src/platform/counters/in-process-counters.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { createTextCipher } from "../../../src/platform/encryption/text-cipher.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { postgresMigrationTarget } from "../../../src/platform/migrations/postgres-migration-target.js"
import { openDatabase } from "../../../src/platform/postgres/database.js"
import type { Database } from "../../../src/platform/postgres/database.types.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { askRoute } from "../../support/ask-route.js"
import { closedDoors } from "../../support/closed-doors.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { copyOfTemplate } from "../../support/store-templates.js"

const SEED = `
  INSERT INTO organization VALUES ('00000000-0000-4000-8000-000000000001', 'o', now());
  INSERT INTO project (id, uuid, organization_id, name, created_at)
  SELECT id, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'p', now() FROM unnest(ARRAY[1, 2]) AS id;
  INSERT INTO app_user (id, uuid, distinct_id, email, created_at) VALUES (9, gen_random_uuid(), 'u9', 'u@x.test', now()), (10, gen_random_uuid(), 'u10', 'v@x.test', now())`

/** The only action of the project. */
export const ACTION_ID = 4

/** Somebody else than who runs operations where nobody is named. */
export const OTHER_USER_ID = 10

/** What the operations of these tests answer, by the names that they give it. */
export interface FlagsAnswer {
  readonly flag: JsonObject
  readonly cohort: JsonObject & { readonly id: number }
  readonly members: number
  readonly imported: { readonly memberCount: number; readonly unknownIds: readonly string[] }
  readonly page: FlagPage
  readonly next: FlagPage
  readonly decision: JsonObject
  readonly definitions: { readonly revision: string; readonly body: { readonly flags: readonly JsonObject[] } }
}

interface FlagPage {
  readonly nodes: readonly (JsonObject & { readonly id: number; readonly key: string })[]
  readonly pageInfo: { readonly endCursor: string }
}

/** Flags over a PostgreSQL of their own: managed through GraphQL, decided through the endpoint. */
export interface FlagsApp {
  readonly server: EmbeddedPostgres
  readonly database: Database
  readonly feature: ReturnType<typeof createFlagsFeature>
  /** Runs an operation as a user of project 1 (or another); throws its first error. */
  run(source: string, variables?: JsonObject, projectId?: number): Promise<FlagsAnswer>
  /** As `run`, for operations whose answer a test reads by itself. */
  ask(source: string, variables?: JsonObject, userId?: number): Promise<JsonObject>
  /** Of the projects, as tests set them. */
  readonly settings: Record<string, Json>
  readonly clock: ManualClock
  /** This process and the other one. */
  processes(): readonly Pick<ReturnType<typeof createFlagsFeature>, "dueChanges">[]
  /** The same in another process over the same PostgreSQL. */
  runElsewhere(source: string, variables?: JsonObject): Promise<FlagsAnswer>
  decide(body: JsonObject, version?: number): Promise<JsonObject>
  /** A second process over the same stores and snapshots. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startFlagsApp(): Promise<FlagsApp> {
  const directory = copyOfTemplate("stores")
  const dataDirectory = directory.path
  const logger = silentLogger
  const server = await startEmbeddedPostgres({ dataDirectory, logger })
  const target = postgresMigrationTarget(server.url)
  await applyMigrations({ target, directory: migrationsDirectory("postgres"), logger })
  const database = await openDatabase({
    url: server.url,
    entities: [...accessEntities, ...projectEntities, ...cohortEntities, ...flagEntities],
    connections: 12,
    logger,
  })
  await database.pool.query(SEED)

  const findByKey = async (token: string): Promise<KeyedProject | null> => {
    if (token !== "phc_TEST") return null
    const { rows } = await database.pool.query<{ id: number }>("SELECT id FROM project WHERE id = 1")
    return rows[0] === undefined ? null : { id: asProjectId(rows[0].id), settings: {} }
  }
  const payloadCipher = createTextCipher([Buffer.alloc(32, "key")])
  const userLoader = () => new DataLoader<UserId, null>(async (ids) => ids.map(() => null))
  const clock = createManualClock(Date.parse("2026-03-01T12:00:00Z"))
  const settings: Record<string, Json> = {}
  const create = () => {
    const cohorts = createCohortsFeature({
      database,
      clock,
      ids: createIds(),
      userLoader,
      checkLeaf: checkCohortLeaf,
      findUndecidable,
      findActions: async (_, wanted) => wanted.filter((id) => id === ACTION_ID).map((id) => ({ id })),
      findFlagsUsing: (...asked) => flags.findFlagsUsing(...asked),
      changed: (projectId) => flags.rulesChanged(projectId),
    })
    const flags = createFlagsFeature({
      database,
      cohorts: cohorts.service,
      listHolding: async () => new Map(),
      redis: null,
      pubSub: createInProcessPubSub(logger),
      projects: {
        findByKey,
        findCached: () => undefined,
        findById: async (id) => ({ id, settings }),
        onChange: () => () => undefined,
      },
      counters: createInProcessCounters(createManualClock(0)),
      geoIp: null,
      payloadCipher,
      userLoader,
      auditLog: createActivityReader(database.pool),
      dataDirectory,
      clock,
      ids: createIds(),
      logger,
    })
    return { ...flags, resolvers: [...flags.resolvers, cohorts.resolver] }
  }
  let feature = create()
  await feature.start()

  const schemaOf = (featureOf: () => typeof feature) =>
    buildSchema({
      resolvers: [...flagResolverClasses, CohortsResolver],
      validate: false,
      pubSub: createPubSub(),
      container: { get: (wanted) => featureOf().resolvers.find((one) => one instanceof wanted) },
    })
  const schema = await schemaOf(() => feature)
  const elsewhere = create()
  const schemaElsewhere = await schemaOf(() => elsewhere)
  const contextFor = (projectId: number, userId = 9): RequestContext => {
    const principal = { userId: asUserId(userId), keyId: "k", scopes: ["*"], projectIds: null, organizationIds: null }
    return {
      requestId: "r",
      clientIp: "127.0.0.1",
      senderIp: "127.0.0.1",
      baseUrl: "http://localhost",
      principal,
      authenticationFault: null,
      loader: (factory) => factory(),
      findResolver: () => {
        throw new AppError("internal_error")
      },
      access: {
        requireProject: async () => asProjectId(projectId),
        requirePrincipal: async () => principal,
        ...closedDoors,
      },
    }
  }
  return {
    server,
    database,
    get feature() {
      return feature
    },
    run: (source, variables, projectId = 1) => runIn(schema, source, variables, contextFor(projectId)),
    ask: (source, variables, userId) => runIn<JsonObject>(schema, source, variables, contextFor(1, userId)),
    settings,
    clock,
    processes: () => [feature, elsewhere],
    runElsewhere: (source, variables) => runIn(schemaElsewhere, source, variables, contextFor(1)),
    decide: async (body, version = 3) => {
      const sent = Buffer.from(JSON.stringify({ api_key: "phc_TEST", distinct_id: "u", ...body }))
      const request = { method: "POST", url: `/decide/?v=${version}`, body: sent }
      const reply = await askRoute(feature.routes, request, { clientIp: "127.0.0.1", receivedAtMs: 0 })
      return JSON.parse(String(reply.body))
    },
    restart: async () => {
      await feature.stop()
      feature = create()
      await feature.start()
    },
    stop: async () => {
      await elsewhere.stop()
      await feature.stop()
      await database.close()
      await server.stop()
      directory.remove()
    },
  }
}

async function runIn<Answer = FlagsAnswer>(
  schema: GraphQLSchema,
  source: string,
  variableValues: JsonObject | undefined,
  contextValue: RequestContext,
): Promise<Answer> {
  const { data, errors } = await graphql({ schema, source, variableValues: variableValues ?? {}, contextValue })
  if (errors?.[0] !== undefined) throw errors[0].originalError ?? errors[0]
  return JSON.parse(JSON.stringify(data))
}

export const CREATE = `mutation ($input: FeatureFlagInput!) {
  flag: createFeatureFlag(input: $input) { id key version active filters isSimpleFlag rolloutPercentage status } }`
export const UPDATE = `mutation ($id: ID!, $input: FeatureFlagInput!) {
  flag: updateFeatureFlag(id: $id, input: $input) { id key version active deleted status } }`
