import type { Platform } from "../../platform/platform.types.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createAgeingWork } from "./ageing-work.store.js"
import { createEventDeletionQueue } from "./event-deletions/event-deletion-queue.store.js"
import {
  createEventCounter,
  createPendingEventDeletions,
  type PendingEventDeletionsDependencies,
} from "./event-deletions/pending-event-deletions.store.js"
import { createRetention, type RetentionDependencies } from "./retention/retention.store.js"

export interface AgeingFeatureDependencies
  extends Pick<Platform, "clickHouse" | "clock" | "logger">,
    Pick<PendingEventDeletionsDependencies, "sessions" | "answers">,
    Pick<RetentionDependencies, "removeSilentRecordings" | "removePluginLogsBefore"> {
  readonly database: Pick<Database, "pool" | "transaction">
}

/** Wires what deletes data of projects: what is too old, and what was asked for. `work` runs with the role `ingest`. */
export function createAgeingFeature(dependencies: AgeingFeatureDependencies) {
  const { database, clickHouse, clock, logger } = dependencies
  const { pool } = database
  const queue = createEventDeletionQueue(pool)
  const deletions = createPendingEventDeletions(dependencies, queue)
  const retention = createRetention({ ...dependencies, pool }, queue, createEventCounter(clickHouse))
  return {
    work: createAgeingWork({ pool, clock, logger, applyDue: deletions.applyDue, sweep: retention.sweep }),
  }
}
