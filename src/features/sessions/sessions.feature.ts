import type { Platform } from "../../platform/platform.types.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { createSessionFill } from "./session-fill.store.js"
import { createSessionRollup } from "./session-rollup.store.js"

export interface SessionsFeatureDependencies extends Pick<Platform, "clickHouse" | "logger"> {
  readonly database: Pick<Database, "pool">
}

/** Wires the roll-up of sessions. `fill` runs in processes with the role `ingest`. */
export function createSessionsFeature({ database, clickHouse, logger }: SessionsFeatureDependencies) {
  const rollup = createSessionRollup(clickHouse)
  return { rollup, fill: createSessionFill({ pool: database.pool, clickHouse, rollup, logger }) }
}
