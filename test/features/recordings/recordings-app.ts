import DataLoader from "dataloader"
import { createActivityReader } from "../../../src/features/access/activity/activity.store.js"
import { ActivityResolver, accessEntities, type BasicUser } from "../../../src/features/access/index.js"
import { createPersonsFeature } from "../../../src/features/persons/index.js"
import { createPlaylistsFeature, playlistEntities } from "../../../src/features/playlists/index.js"
import {
  createHogqlScopes,
  createPostgresQuerySchemaReader,
  toQueryFault,
} from "../../../src/features/queries/index.js"
import {
  createRecordingsFeature,
  recordingEntities,
  type SnapshotMessage,
} from "../../../src/features/recordings/index.js"
import { asUserId, type ProjectId, type UserId } from "../../../src/kernel/ids.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createGraphqlAsker, type GraphqlAsker } from "../../support/graphql-asker.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { startTestStores, type TestStores } from "../../support/test-stores.js"
import { ALONE } from "../persons/persons-app.js"
import { NOW_MS } from "./replay/snapshots.js"

/** Who asks in a test: two users with one address each. */
export const ANNA = asUserId(1)
export const BERT = asUserId(2)
const EMAILS = new Map([
  [ANNA, "anna@a.test"],
  [BERT, "bert@b.test"],
])

const CALENDAR = { settings: async () => ({ timezone: "UTC", weekStartDay: 0 }) }

/** What the operations of these tests answer, by the names that they give it. */
export interface RecordingsAnswer {
  readonly one: Recording & Playlist
  readonly playlist: Playlist
  readonly page: { readonly totalCount: number; readonly nodes: readonly { id: string; name: string }[] }
  readonly sources: readonly { readonly blobKey: string; readonly startTimestamp: string }[]
  readonly lines: readonly string[]
}

interface Recording {
  readonly id: string
  readonly startTime: string
  readonly endTime: string
  readonly startUrl: string
  readonly ongoing: boolean
  readonly clickCount: number
  readonly person: { readonly uuid: string; readonly distinctIds: readonly string[] }
}

interface Playlist {
  readonly shortId: string
  readonly name: string | null
  readonly deleted: boolean
  readonly lastModifiedAt: string
  readonly lastModifiedBy: object
  readonly recordingsCounts: { readonly saved_filters: JsonObject; readonly collection: JsonObject }
}

/** Recordings and playlists over stores of their own. Users are made up. */
export interface RecordingsApp extends TestStores, GraphqlAsker<RecordingsAnswer> {
  readonly clock: ManualClock
  readonly settings: Map<ProjectId, JsonObject>
  readonly recordings: ReturnType<typeof createRecordingsFeature>
  readonly matchCounter: ReturnType<typeof createPlaylistsFeature>["matchCounter"]
  /** Stores messages as ingestion does; the same token stores them once. */
  ingest(messages: readonly SnapshotMessage[], token?: string): Promise<void>
}

export async function startRecordingsApp(): Promise<RecordingsApp> {
  const stores = await startTestStores([...playlistEntities, ...recordingEntities, ...accessEntities])
  const { database, clickHouse } = stores
  for (const [id, email] of EMAILS)
    await database.pool.query(
      "INSERT INTO app_user (id, uuid, distinct_id, email, created_at) VALUES ($1, gen_random_uuid(), $2, $2, now())",
      [id, email],
    )
  const clock = createManualClock(NOW_MS)
  const settings = new Map<ProjectId, JsonObject>()
  const userLoader = () => new DataLoader(async (ids: readonly UserId[]) => ids.map(toUser))
  const persons = createPersonsFeature({ ...ALONE, database, clickHouse, clock, logger: silentLogger })
  const recordings = createRecordingsFeature({
    database,
    clickHouse,
    clock,
    userLoader,
    storedBatches: { findLast: async () => 0, onStored: async () => async () => undefined },
    logger: silentLogger,
    projects: { get: async (projectId) => ({ settings: settings.get(projectId) ?? {} }) },
    persons: persons.directory,
    personLoaders: persons.loaders,
    readScope: createHogqlScopes(createPostgresQuerySchemaReader(database, clock), CALENDAR, clock),
    toQueryFault,
  })
  const auditLog = createActivityReader(database.pool)
  const playlists = createPlaylistsFeature({
    database,
    clock,
    userLoader,
    ids: createIds(),
    auditLog,
    newShortId: () => createIds().shortId(8),
    recordings: recordings.service,
    logger: silentLogger,
  })
  return {
    ...stores,
    ...(await createGraphqlAsker<RecordingsAnswer>([
      recordings.resolvers[0],
      ...playlists.resolvers,
      new ActivityResolver(auditLog, { visibleTo: async () => new Map() }, userLoader),
    ])),
    clock,
    settings,
    recordings,
    matchCounter: playlists.matchCounter,
    ingest: async (messages, token = createIds().uuidV4()) => {
      const { inserts } = await recordings.snapshots.prepare(messages, 1)
      for (const [index, { table, rows }] of inserts.entries())
        await clickHouse.insert({
          table,
          rows: rows.map(({ json }) => json),
          deduplicationToken: `${token}/${table}+${index}`,
        })
    },
  }
}

const toUser = (id: UserId): BasicUser | null => {
  const email = EMAILS.get(id)
  if (email === undefined) return null
  const names = { uuid: `u${id}`, distinctId: `d${id}`, firstName: "", lastName: "" }
  return { id, ...names, email, isEmailVerified: true, hedgehogConfig: null, roleAtOrganization: null }
}
