import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import DataLoader from "dataloader"
import { graphql } from "graphql"
import { buildSchema } from "type-graphql"
import type { BasicUser } from "../../../src/features/access/index.js"
import { createPersonsFeature } from "../../../src/features/persons/index.js"
import { createPlaylistsFeature, PlaylistEntity, PlaylistsResolver } from "../../../src/features/playlists/index.js"
import {
  createRecordingsFeature,
  RecordingsResolver,
  type SnapshotMessage,
} from "../../../src/features/recordings/index.js"
import { AppError } from "../../../src/kernel/errors.js"
import { asProjectId, asUserId, type ProjectId, type UserId } from "../../../src/kernel/ids.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import type { Principal, RequestContext } from "../../../src/kernel/request-context.js"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { createManualClock, type ManualClock } from "../../../src/platform/clock/manual-clock.js"
import { startEmbeddedClickHouse } from "../../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../../src/platform/embedded/embedded-postgres.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { applyMigrations } from "../../../src/platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../../../src/platform/migrations/click-house-migration-target.js"
import { migrationsDirectory } from "../../../src/platform/migrations/load-migrations.js"
import { postgresLock, postgresMigrationTarget } from "../../../src/platform/migrations/postgres-migration-target.js"
import { openDatabase } from "../../../src/platform/postgres/database.js"
import type { Database } from "../../../src/platform/postgres/database.types.js"
import { NOW_MS } from "./snapshots.js"

const ORGANIZATION = "00000000-0000-4000-8000-000000000001"

/** Who asks in a test: two users with one address each. */
export const ANNA = asUserId(1)
export const BERT = asUserId(2)
const EMAILS = new Map([
  [ANNA, "anna@a.test"],
  [BERT, "bert@b.test"],
])

interface Asking {
  readonly user?: UserId
  readonly scopes?: readonly string[]
  readonly project?: number
}

/** Recordings and playlists over stores of their own, asked through GraphQL. Users and keys are made up. */
export interface RecordingsApp {
  readonly database: Database
  readonly clickHouse: ClickHouse
  readonly clock: ManualClock
  readonly settings: Map<ProjectId, JsonObject>
  readonly recordings: ReturnType<typeof createRecordingsFeature>
  /** Stores messages as ingestion does; the same token stores them once. */
  ingest(messages: readonly SnapshotMessage[], token?: string): Promise<void>
  /** Runs an operation on a project, which the source names as $p, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes.
  data(source: string, variables?: object, asking?: Asking): Promise<any>
  /** Code of the AppError that an operation must fail with. */
  fault(source: string, variables?: object, asking?: Asking): Promise<string>
  stop(): Promise<void>
}

export async function startRecordingsApp(): Promise<RecordingsApp> {
  const directory = mkdtempSync(join(tmpdir(), "waymark-recordings-"))
  const logger = silentLogger
  const [postgres, engine] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory: directory, logger }),
    startEmbeddedClickHouse({ dataDirectory: directory, logger }),
  ])
  const clickHouse = createClickHouse({ url: () => engine.url, logger })
  const lock = postgresLock(postgres.url, "tests")
  const targets = [
    ["postgres", postgresMigrationTarget(postgres.url)],
    ["clickhouse", clickHouseMigrationTarget(clickHouse, lock)],
  ] as const
  for (const [store, target] of targets)
    await applyMigrations({ target, directory: migrationsDirectory(store), logger })
  const database = await openDatabase({ url: postgres.url, entities: [PlaylistEntity], poolSize: 4, logger })
  await seedProjects(database)

  const clock = createManualClock(NOW_MS)
  const settings = new Map<ProjectId, JsonObject>()
  const userLoader = () => new DataLoader(async (ids: readonly UserId[]) => ids.map(toUser))
  const persons = createPersonsFeature({ database, clickHouse, clock, logger })
  const recordings = createRecordingsFeature({
    ...{ database, clickHouse, clock, userLoader },
    projects: { settings: async (projectId) => settings.get(projectId) ?? {} },
    persons: persons.directory,
    personLoaders: persons.loaders,
  })
  const playlists = createPlaylistsFeature({
    ...{ database, clock, userLoader },
    newShortId: () => createIds().shortId(8),
    recordings: recordings.service,
  })
  const instances = [recordings.resolver, playlists.resolver]
  const schema = await buildSchema({
    resolvers: [RecordingsResolver, PlaylistsResolver],
    validate: false,
    container: { get: (wanted) => instances.find((instance) => instance instanceof wanted) },
  })

  const run = (source: string, variables: object, asking: Asking) =>
    graphql({
      schema,
      source,
      variableValues: { p: String(asking.project ?? 1), ...variables },
      contextValue: contextOf(asking),
    })
  return {
    ...{ database, clickHouse, clock, settings, recordings },
    ingest: async (messages, token = createIds().uuidV4()) => {
      const { inserts } = await recordings.snapshots.prepare(messages)
      for (const [index, { table, rows }] of inserts.entries())
        await clickHouse.insert({
          table,
          rows: rows.map(({ json }) => json),
          deduplicationToken: `${token}/${table}+${index}`,
        })
    },
    data: async (source, variables = {}, asking = {}) => {
      const { data, errors } = await run(source, variables, asking)
      if (errors?.[0] !== undefined) throw errors[0].originalError ?? errors[0]
      return data
    },
    fault: async (source, variables = {}, asking = {}) => {
      const { errors } = await run(source, variables, asking)
      const [error] = errors ?? []
      return error?.originalError instanceof AppError ? error.originalError.code : `no fault: ${error}`
    },
    stop: async () => {
      await Promise.all([database.close(), clickHouse.close()])
      await Promise.all([postgres.stop(), engine.stop()])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function seedProjects({ pool }: Database): Promise<void> {
  await pool.query("INSERT INTO organization (id, name, created_at) VALUES ($1, 'o', now())", [ORGANIZATION])
  await pool.query(
    `INSERT INTO project (id, uuid, organization_id, name, created_at)
     SELECT id, gen_random_uuid(), $1, 'p' || id, now() FROM generate_series(1, 9) AS id`,
    [ORGANIZATION],
  )
}

const toUser = (id: UserId): BasicUser | null => {
  const email = EMAILS.get(id)
  if (email === undefined) return null
  const names = { uuid: `u${id}`, distinctId: `d${id}`, firstName: "", lastName: "" }
  return { id, ...names, email, isEmailVerified: true, hedgehogConfig: null, roleAtOrganization: null }
}

function contextOf({ user = ANNA, scopes = ["*"] }: Asking): RequestContext {
  const principal: Principal = { userId: user, keyId: "k", scopes, projectIds: null, organizationIds: null }
  const requireScope = (scope: string): void => {
    if (!scopes.includes("*") && !scopes.includes(scope))
      throw new AppError("permission_denied", { detail: `API key missing required scope '${scope}'` })
  }
  const loaders = new Map<unknown, unknown>()
  return {
    ...{ requestId: "test", clientIp: "127.0.0.1", baseUrl: "http://localhost", principal, authenticationFault: null },
    loader: (factory) => {
      if (!loaders.has(factory)) loaders.set(factory, factory())
      return loaders.get(factory) as ReturnType<typeof factory>
    },
    resolverOf: () => {
      throw new Error("no subscriptions here")
    },
    access: {
      requireProject: async (_, rawProjectId, scope) => {
        requireScope(scope)
        return asProjectId(Number(rawProjectId))
      },
      requirePrincipal: async (_, scope) => {
        requireScope(scope)
        return principal
      },
    },
  }
}
