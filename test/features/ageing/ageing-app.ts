import { type AgeingFeatureDependencies, createAgeingFeature } from "../../../src/features/ageing/ageing.feature.js"
import { forgetAnswers } from "../../../src/features/queries/index.js"
import { createSessionRollup } from "../../../src/features/sessions/session-rollup.store.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { runTransaction } from "../../../src/platform/postgres/open-pool.js"
import { createManualClock, type ManualClock } from "../../support/manual-clock.js"
import { Journey, NOW_MS } from "../ingestion/batches/journey.js"
import type { RealStores } from "../ingestion/real-stores.js"

const ORGANIZATION = "00000000-0000-4000-8000-0000000000a9"
const MAX_LOOKS = 200
const PAUSE_MS = 60_000

/** A project with a record, on its way through the stores. */
export async function journeyOfProject(stores: RealStores, settings: JsonObject = {}): Promise<Journey> {
  const journey = new Journey(stores)
  await stores.pool.query(
    "INSERT INTO organization (id, name, created_at) VALUES ($1, 'o', now()) ON CONFLICT DO NOTHING",
    [ORGANIZATION],
  )
  await stores.pool.query(
    `INSERT INTO project (id, uuid, organization_id, name, settings, created_at)
     VALUES ($1, gen_random_uuid(), $2, 'p', $3, now())`,
    [journey.projectId, ORGANIZATION, JSON.stringify(settings)],
  )
  return journey
}

/** The ageing feature on real stores with no other features around it, and a clock that stands at `NOW_MS`. */
export function createTestAgeing(stores: RealStores, changed: Partial<AgeingFeatureDependencies> = {}) {
  const clock = createManualClock(NOW_MS)
  const ageing = createAgeingFeature({
    database: { pool: stores.pool, transaction: (work) => runTransaction(stores.pool, work) },
    clickHouse: stores.clickHouse,
    clock,
    logger: silentLogger,
    sessions: createSessionRollup(stores.clickHouse),
    answers: { forget: forgetAnswers },
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
