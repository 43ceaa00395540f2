import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { accessEntities } from "../../../src/features/access/index.js"
import {
  createBegunBatchFinder,
  createLastBatchFinder,
} from "../../../src/features/ingestion/stored-batches/stored-batches.store.js"
import { projectEntities } from "../../../src/features/projects/index.js"
import { scheduledExportEntities } from "../../../src/features/scheduled-exports/index.js"
import type { ScheduledExportInput } from "../../../src/features/scheduled-exports/manage/scheduled-exports.graphql.js"
import {
  createScheduledExportsFeature,
  type ScheduledExportsFeatureDependencies,
} from "../../../src/features/scheduled-exports/scheduled-exports.feature.js"
import { asUserId, type ProjectId, type UserId } from "../../../src/kernel/ids.js"
import { isJsonObject, type JsonObject, parseJson } from "../../../src/kernel/json.js"
import { firstRows } from "../../../src/kernel/paging.js"
import { createTextCipher } from "../../../src/platform/encryption/text-cipher.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { startTestStores, type TestStores } from "../../support/test-stores.js"
import { temporaryDirectory } from "../../support/waymark-process.js"
import { Journey } from "../ingestion/batches/journey.js"
import type { RealStores } from "../ingestion/real-stores.js"

export const HOUR_MS = 3_600_000

/** Both stores, as journeys and as records see them, and somebody who makes exports. */
export type ExportStores = TestStores & RealStores & { readonly userId: UserId }

export async function startExportStores(): Promise<ExportStores> {
  const stores = await startTestStores([...accessEntities, ...projectEntities, ...scheduledExportEntities])
  const { pool } = stores.database
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO app_user (uuid, distinct_id, email, created_at)
     VALUES (gen_random_uuid(), 'u', 'u@a.example', now()) RETURNING id`,
  )
  return { ...stores, pool, userId: asUserId(rows[0]?.id ?? 0) }
}

/** A project with a record, on its way through the stores. */
export async function journeyOfProject(stores: ExportStores): Promise<Journey> {
  const journey = new Journey(stores)
  await stores.pool.query(
    `INSERT INTO project (id, uuid, organization_id, name, created_at)
     VALUES ($1, gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'p', now()) ON CONFLICT (id) DO NOTHING`,
    [journey.projectId],
  )
  return journey
}

/** What is different in a test. */
export type Changed = Partial<Omit<ScheduledExportsFeatureDependencies, "clock">> & { readonly clock?: ManualClock }

/** The feature on real stores and a folder, as one process has it; the clock begins at the full hour that is now. */
export function createTestExports(stores: ExportStores, changed: Changed = {}) {
  const folder = temporaryDirectory()
  const clock = changed.clock ?? createManualClock(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 60_000)
  const dependencies: ScheduledExportsFeatureDependencies = {
    database: stores.database,
    clickHouse: stores.clickHouse,
    ids: createIds(),
    logger: silentLogger,
    batches: { findLast: createLastBatchFinder(stores.pool), findBegun: createBegunBatchFinder(stores.pool) },
    cipher: createTextCipher([Buffer.alloc(32, 7)]),
    exportDirectory: folder.path,
    spoolFolder: folder.path,
    allowsPrivateAddresses: true,
    userLoader: () => {
      throw new Error("nobody asks who it was")
    },
    ...changed,
    clock,
  }
  const feature = createScheduledExportsFeature(dependencies)
  const { service } = feature
  return {
    ...feature,
    clock,
    folder,
    /** Another process beside this one. */
    beside: () => createScheduledExportsFeature(dependencies),
    create: (projectId: ProjectId, input: Partial<ScheduledExportInput> = {}) =>
      service.create(projectId, stores.userId, { name: "n", content: "events", target: { folder: {} }, ...input }),
    runs: async (projectId: ProjectId, id: number) => (await service.listRuns(projectId, id, firstRows(100))).items,
    filesOf: (projectId: ProjectId, id: number) => listFiles(join(folder.path, `project-${projectId}/export-${id}`)),
  }
}

export type TestExports = ReturnType<typeof createTestExports>

/** Files under a folder by their paths in it. */
export function listFiles(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]))
}

/** The objects of a file of JSON lines. */
export const linesOf = (text: string | undefined): JsonObject[] =>
  (text ?? "").split("\n").flatMap((line) => (line === "" ? [] : [parseJson(line)].filter(isJsonObject)))
