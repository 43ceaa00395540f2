import type { Clock } from "../../kernel/clock.js"
import type { ClickHouse } from "../../platform/clickhouse/click-house.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { MaxMindGeoIp } from "./geo-ip.store.js"
import { createPersonLoaders } from "./person.loader.js"
import { createPersonDeletions } from "./person-deletion.store.js"
import { createPersonDirectory } from "./person-directory.store.js"
import { PersonsResolver } from "./persons.resolver.js"
import { createPersonsService } from "./persons.service.js"

export interface PersonsFeatureDependencies {
  readonly database: Pick<Database, "pool" | "transaction">
  readonly clickHouse: ClickHouse
  readonly clock: Clock
  readonly logger: Logger
}

/** Wires the read side of persons and groups, and the deletion of persons. Ingestion changes them through `createPersonStore`. */
export function createPersonsFeature({ database, clickHouse, clock, logger }: PersonsFeatureDependencies) {
  const directory = createPersonDirectory(database.pool)
  const deletions = createPersonDeletions(database, clickHouse)
  const loaders = createPersonLoaders(directory)
  const service = createPersonsService({ directory, deletions, clock, logger })
  return { directory, deletions, loaders, service, resolver: new PersonsResolver(service, loaders) }
}

/**
 * Opens a MaxMind city file for GeoIP lookups; it is read again when it changes.
 * @throws Error when the file cannot be read or is no such file.
 */
export function createGeoIp(path: string, logger: Logger): MaxMindGeoIp {
  return new MaxMindGeoIp(path, logger)
}
