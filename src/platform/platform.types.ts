import type { Clock } from "../kernel/clock.js"
import type { ClickHouse } from "./clickhouse/click-house.js"
import type { Ids } from "./ids/ids.js"
import type { Logger } from "./logger/logger.js"
import type { Database } from "./postgres/database.types.js"
import type { PubSub } from "./pubsub/pub-sub.js"

/** What `app/` opens once for all features; each takes what it needs of it. */
export interface Platform {
  readonly database: Database
  readonly clickHouse: ClickHouse
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
}
