import type { Clock } from "../../kernel/clock.js"
import type { Counters } from "../../platform/counters/counters.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createSaltMaker, createVisitorStore, findVisitor } from "../cookieless/index.js"
import type { GeoIp } from "../persons/index.js"
import { createDecideService } from "./decide/decide.service.js"
import { createDecisionFactsStore } from "./decide/decision-facts.store.js"
import { createFactReader } from "./decide/fact-budget.js"
import { createHashKeyStore } from "./decide/hash-key.store.js"
import { createFlagQuota } from "./limits/flag-quota.service.js"
import { createFlagRateLimit, type FlagRateLimits } from "./limits/flag-rate-limit.service.js"
import type { KnownProjects } from "./projects/known-projects.store.js"
import { createPendingChanges } from "./read-your-writes/pending-changes.js"
import type { PendingChanges } from "./read-your-writes/pending-changes.types.js"
import { createReadYourWrites } from "./read-your-writes/read-your-writes.store.js"
import type { FlagRulesService } from "./rules/flag-rules.service.js"

/**
 * How long a decision waits for one kind of stored fact before the flags that need it fail: a busy machine's pauses must not
 * look like a dead store, and SDKs wait 3 s for the whole answer.
 */
const FACT_BUDGET_MS = 1_000
const NOWHERE: GeoIp = { lookUp: () => null }

export interface DecisionsDependencies {
  readonly database: Database
  readonly projects: KnownProjects
  readonly rules: FlagRulesService
  /** Null when there is no data file; then nothing is added. */
  readonly geoIp: GeoIp | null
  /** What capture has acknowledged in this process; decisions see it at once. */
  readonly pendingChanges?: PendingChanges
  /** Where flag requests are counted. */
  readonly counters: Counters
  /** How many decision requests are answered in a minute; no limit when absent. */
  readonly rateLimits?: FlagRateLimits
  readonly clock: Clock
  readonly ids: Pick<Ids, "uuidV4" | "bytes">
  readonly logger: Logger
}

/** Wires decisions: the facts that they ask for, and the limits that they are under. */
export function createDecisions(dependencies: DecisionsDependencies) {
  const { database, projects, rules, counters, clock, ids, logger } = dependencies
  const pending = dependencies.pendingChanges ?? createPendingChanges()
  const readYourWrites = createReadYourWrites(createDecisionFactsStore(database), pending, database, logger)
  const facts = {
    persons: readYourWrites,
    groups: readYourWrites,
    hashKeys: createHashKeyStore(database),
    reader: createFactReader(clock, FACT_BUDGET_MS),
  }
  const quota = createFlagQuota({ counters, clock, logger })
  const limits = dependencies.rateLimits ?? { key: 0, address: 0 }
  const rateLimit = createFlagRateLimit({ counters, limits, clock, logger })
  const visitors = createVisitorStore(database.pool, createSaltMaker(database.pool, ids))
  const service = createDecideService({
    toVisitorId: (visit) => findVisitor(visitors, visit),
    projects,
    rules,
    facts,
    quota,
    rateLimit,
    geoIp: dependencies.geoIp ?? NOWHERE,
    clock,
    newUuid: () => ids.uuidV4(),
  })
  return {
    service,
    facts,
    quota,
    rateLimit,
    start(): void {
      readYourWrites.start()
      quota.start()
      rateLimit.start()
    },
    async stop(): Promise<void> {
      await readYourWrites.stop()
      await quota.stop()
      await rateLimit.stop()
    },
  }
}
