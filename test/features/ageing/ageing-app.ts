import { accessEntities } from "../../../src/features/access/index.js"
import { type AgeingFeatureDependencies, createAgeingFeature } from "../../../src/features/ageing/ageing.feature.js"
import { ageingEntities } from "../../../src/features/ageing/index.js"
import { projectEntities } from "../../../src/features/projects/index.js"
import { forgetAnswers } from "../../../src/features/queries/index.js"
import { createSessionRollup } from "../../../src/features/sessions/session-rollup.store.js"
import { asOrganizationId } from "../../../src/kernel/ids.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { startTestStores, type TestStores } from "../../support/test-stores.js"
import { Journey, NOW_MS } from "../ingestion/batches/journey.js"
import type { RealStores } from "../ingestion/real-stores.js"

const ORGANIZATION = asOrganizationId("00000000-0000-4000-8000-000000000001")
const MAX_LOOKS = 200
const PAUSE_MS = 60_000

/** Both stores, as journeys and as records see them. */
export type AgeingStores = TestStores & RealStores

export async function startAgeingStores(): Promise<AgeingStores> {
  const stores = await startTestStores([...accessEntities, ...projectEntities, ...ageingEntities])
  return { ...stores, pool: stores.database.pool }
}

/** A project with a record, on its way through the stores. */
export async function journeyOfProject(stores: AgeingStores, settings: JsonObject = {}): Promise<Journey> {
  const journey = new Journey(stores)
  await stores.pool.query(
    `INSERT INTO project (id, uuid, organization_id, name, settings, created_at)
     VALUES ($1, gen_random_uuid(), $2, 'p', $3, now()) ON CONFLICT (id) DO UPDATE SET settings = excluded.settings`,
    [journey.projectId, ORGANIZATION, JSON.stringify(settings)],
  )
  return journey
}

/** The ageing feature on real stores, and a clock that stands at `NOW_MS`; everybody is an admin. */
export function createTestAgeing(stores: AgeingStores, changed: Partial<AgeingFeatureDependencies> = {}) {
  const clock = createManualClock(NOW_MS)
  const ageing = createAgeingFeature({
    database: stores.database,
    clickHouse: stores.clickHouse,
    clock,
    ids: createIds(),
    logger: silentLogger,
    directory: { findOrganizationId: async () => ORGANIZATION, announceChange: async () => undefined },
    access: {
      announceChange: async () => undefined,
      organizations: { require: async () => ORGANIZATION },
    },
    userLoader: () => {
      throw new Error("nobody asks who it was")
    },
    sessions: createSessionRollup(stores.clickHouse),
    answers: { forget: forgetAnswers, delete: async () => true },
    removeSilentRecordings: async () => true,
    removePluginLogsBefore: async () => true,
    ...changed,
  })
  return { ...ageing, clock, workAll: () => workAll(stores, ageing, clock) }
}

/** Works until a look finds nothing to do; how many looks that takes depends on the machine. */
async function workAll(
  { pool }: RealStores,
  { work }: ReturnType<typeof createAgeingFeature>,
  clock: ManualClock,
): Promise<void> {
  const read = async (): Promise<string> => {
    const { rows } = await pool.query("SELECT id, finished_at IS NOT NULL AS done FROM event_deletion ORDER BY id")
    return JSON.stringify(rows)
  }
  for (let look = 0; look < MAX_LOOKS; look++) {
    const before = await read()
    await work.work()
    clock.advance(PAUSE_MS)
    if ((await read()) === before && !before.includes("false")) return
  }
  throw new Error("there is no end of it")
}
