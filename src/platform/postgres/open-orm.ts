import { type AnyEntity, type EntityClass, type EntitySchema, MikroORM } from "@mikro-orm/postgresql"
import type { Logger } from "../logger/logger.js"
import { CONNECTION_SETTINGS } from "./open-pool.js"

/** The entity classes that the ORM must know. */
export type Entities = readonly (EntityClass<AnyEntity> | EntitySchema)[]

/** Opens the ORM on the given entities; it connects when it is first used. */
export function openOrm(url: string, entities: Entities, poolSize: number, logger: Logger): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: url,
    entities: [...entities],
    pool: { max: poolSize },
    driverOptions: CONNECTION_SETTINGS,
    // The schema belongs to the migrations alone.
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    ensureDatabase: false,
    logger: (message) => logger.debug(message),
    colors: false,
  })
}
