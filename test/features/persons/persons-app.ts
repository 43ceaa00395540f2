import { createPersonsFeature, type PersonsFeatureDependencies } from "../../../src/features/persons/index.js"
import { createSessionRollup } from "../../../src/features/sessions/session-rollup.store.js"
import { personFilterRules } from "../../../src/flag-engine/index.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { runTransaction } from "../../../src/platform/postgres/open-pool.js"
import { createManualClock } from "../../support/manual-clock.js"
import { NOW_MS } from "../ingestion/batches/journey.js"
import type { RealStores } from "../ingestion/real-stores.js"

export interface SentPersonEvent {
  readonly name: string
  readonly distinctId: string
  readonly properties: JsonObject
}

export const PERSONS_ALONE = { events: false, recordings: false }
export const WITH_EVENTS = { events: true, recordings: false }

/** A persons feature that has no other features around it. */
export const ALONE = {
  events: { send: async () => undefined },
  runHogql: async () => [],
  deletionListeners: [],
  traceListeners: [],
  answers: {
    forget: async () => undefined,
    listExecutingRuns: async () => [],
    forgetRuns: async () => true,
    delete: async () => true,
  },
  deleteRecordings: async () => true,
  sessions: { isFilled: async () => true, refill: async () => undefined },
  exports: { take: () => () => undefined },
  filterRules: personFilterRules,
  readTimeZone: async () => "Europe/Prague",
} satisfies Partial<PersonsFeatureDependencies>

/** The same a minute later, when deletions have settled. */
export const later = (stores: RealStores, changed: Partial<PersonsFeatureDependencies> = {}) =>
  createTestPersons(stores, { clock: createManualClock(NOW_MS + 60_000), ...changed })

/** The persons feature on real stores, a second after `NOW_MS`; what it sends to capture goes to `sentEvents`. */
export function createTestPersons(
  stores: RealStores,
  changed: Partial<PersonsFeatureDependencies> = {},
  sentEvents: SentPersonEvent[] = [],
) {
  return createPersonsFeature({
    ...ALONE,
    database: { pool: stores.pool, searchPool: stores.pool, transaction: (work) => runTransaction(stores.pool, work) },
    clickHouse: stores.clickHouse,
    sessions: createSessionRollup(stores.clickHouse),
    clock: createManualClock(NOW_MS + 1000),
    logger: silentLogger,
    events: {
      send: async (_projectId, event) => {
        sentEvents.push(event)
      },
    },
    ...changed,
  })
}
