import { type ExecutionResult, type GraphQLSchema, graphql } from "graphql"
import { buildSchema } from "type-graphql"
import {
  type AccessFeature,
  ActivityResolver,
  accessEntities,
  createAccessFeature,
  InvitationsResolver,
  MembersResolver,
  OrganizationsResolver,
  PersonalKeysResolver,
  UsersResolver,
} from "../../../src/features/access/index.js"
import {
  type bootstrap,
  createProjectDirectory,
  createProjectsFeature,
  createRefusedKeys,
  MyProjectResolver,
  OrganizationProjectsResolver,
  type ProjectDirectory,
  ProjectsResolver,
  projectEntities,
} from "../../../src/features/projects/index.js"
import { signInEntities } from "../../../src/features/sign-in/index.js"
import type { RequestContext } from "../../../src/kernel/request-context.js"
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { postgresMigrationTarget } from "../../../src/platform/migrations/postgres-migration-target.js"
import { openDatabase } from "../../../src/platform/postgres/database.js"
import type { Database } from "../../../src/platform/postgres/database.types.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { copyOfTemplate } from "../../support/store-templates.js"
import type { TenancyAnswer } from "./tenancy-answer.js"

const ENDLESS = { requireLeft: () => undefined, take: () => undefined }

/** Organizations, users, projects and keys over a PostgreSQL of their own, asked through GraphQL. */
export interface TenancyApp {
  readonly directory: string
  readonly server: EmbeddedPostgres
  readonly database: Database
  readonly clock: ManualClock
  readonly access: AccessFeature
  readonly projects: ProjectDirectory
  readonly bootstrapping: Parameters<typeof bootstrap>[0]
  readonly schema: GraphQLSchema
  /** A second process on the same stores: its own memory, told of changes by messages. */
  startAnotherProcess(): Promise<Pick<TenancyApp, "access" | "projects">>
  /** Runs a GraphQL operation with a personal key. */
  run(key: string | null, source: string): Promise<ExecutionResult>
  /** Runs an operation that must succeed and returns its data. */
  data(key: string | null, source: string): Promise<TenancyAnswer>
  contextFor(key: string | null): Promise<RequestContext>
  stop(): Promise<void>
}

export async function startTenancyApp(): Promise<TenancyApp> {
  const directory = copyOfTemplate("stores")
  const logger = silentLogger
  const server = await startEmbeddedPostgres({ dataDirectory: directory.path, logger })
  const entities = [...accessEntities, ...projectEntities, ...signInEntities]
  const database = await openDatabase({ url: server.url, entities, connections: 12, logger })
  const target = postgresMigrationTarget(server.url)
  await applyMigrations({ target, directory: migrationsDirectory("postgres"), logger })
  const clock = createManualClock(Date.UTC(2026, 1, 28, 23, 30))
  const [ids, pubSub] = [createIds(), createInProcessPubSub(logger)]
  const startProcess = async () => {
    const projects = createProjectDirectory({ database, pubSub, clock, logger }, ENDLESS)
    const access = createAccessFeature({ database, pubSub, projects, clock, ids, logger })
    await access.start()
    await projects.start()
    return { projects, access }
  }
  const { projects, access } = await startProcess()
  const refusedKeys = createRefusedKeys(clock)
  const feature = createProjectsFeature({ database, directory: projects, access, clock, ids, refusedKeys })
  const resolvers = [...access.resolvers, ...feature.resolvers]
  const schema = await buildTenancySchema(resolvers)

  const contextFor = async (key: string | null): Promise<RequestContext> => {
    const authentication = await access.authenticate({ authorization: key === null ? undefined : `Bearer ${key}` })
    const loaders = new Map<unknown, unknown>()
    return {
      requestId: "test",
      clientIp: "127.0.0.1",
      senderIp: "127.0.0.1",
      baseUrl: "http://localhost",
      ...authentication,
      access: access.projectAccess,
      findResolver: (wanted) => resolvers.find((one) => one instanceof wanted) as InstanceType<typeof wanted>,
      loader: (factory) => {
        if (!loaders.has(factory)) loaders.set(factory, factory())
        return loaders.get(factory) as ReturnType<typeof factory>
      },
    }
  }
  const run = async (key: string | null, source: string) =>
    graphql({ schema, source, contextValue: await contextFor(key) })
  return {
    directory: directory.path,
    server,
    database,
    clock,
    access,
    projects,
    schema,
    contextFor,
    run,
    startAnotherProcess: startProcess,
    bootstrapping: {
      records: database.records,
      dataDirectory: directory.path,
      clock,
      ids,
      logger,
    },
    data: async (key, source) => {
      const { data, errors } = await run(key, source)
      if (errors !== undefined) throw errors[0]
      return data as unknown as TenancyAnswer
    },
    stop: async () => {
      await access.stop()
      await projects.stop()
      await database.close()
      await server.stop()
      directory.remove()
    },
  }
}

function buildTenancySchema(instances: readonly object[]): Promise<GraphQLSchema> {
  return buildSchema({
    resolvers: [
      UsersResolver,
      InvitationsResolver,
      MembersResolver,
      OrganizationsResolver,
      PersonalKeysResolver,
      ActivityResolver,
      ProjectsResolver,
      MyProjectResolver,
      OrganizationProjectsResolver,
    ],
    validate: false,
    container: { get: (wanted) => instances.find((instance) => instance instanceof wanted) },
  })
}
