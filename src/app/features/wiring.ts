import type { GeoIp } from "../../features/persons/index.js"
import type { Clock } from "../../kernel/clock.js"
import type { CrashPoints } from "../../kernel/crash-points.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Ids } from "../../platform/ids/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import type { PubSub } from "../../platform/pubsub/pub-sub.js"
import type { Limits } from "../create-limits.js"
import type { Environment } from "../environment.js"
import type { Stores } from "../open-stores.js"

/** What the features are wired over. */
export interface Wiring {
  readonly environment: Environment
  readonly stores: Stores
  readonly dataDirectory: string
  readonly limits: Pick<Limits, "projectBytes" | "wrongProjectKeys" | "exports">
  /** Null when there is no data file. */
  readonly geoIp: GeoIp | null
  /** Null unless a test has planned a crash. */
  readonly crashPoints: CrashPoints | null
  /** What nearly every feature takes. */
  readonly shared: SharedDependencies
}

export interface SharedDependencies {
  readonly database: Database
  readonly pool: Database["pool"]
  readonly clickHouse: ClickHouse
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly ids: Ids
  readonly newShortId: () => string
  readonly logger: Logger
}
