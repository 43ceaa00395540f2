import { type AnyEntity, type EntityClass, type EntitySchema, MikroORM } from "@mikro-orm/postgresql"
import type { Pool } from "pg"
import type { Logger } from "../logger/logger.js"
import { CONNECTION_SETTINGS } from "./open-pool.js"
import { toTraced } from "./trace-statements.js"

/** The entity classes that the ORM must know. */
export type Entities = readonly (EntityClass<AnyEntity> | EntitySchema)[]

/** The ORM, and the pool that it makes for itself when it is first used; null before. */
export interface OpenOrm {
  readonly orm: MikroORM
  readonly findPool: () => Pool | null
}

/** Opens the ORM on the given entities; it connects when it is first used. */
export async function openOrm(url: string, entities: Entities, poolSize: number, logger: Logger): Promise<OpenOrm> {
  let pool: Pool | null = null
  const onPoolCreated = (made: Pool): void => {
    pool = made
  }
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [...entities],
    pool: { max: poolSize },
    driverOptions: { ...toTraced(CONNECTION_SETTINGS), onPoolCreated },
    // The schema belongs to the migrations alone.
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    ensureDatabase: false,
    logger: (message) => logger.debug(message),
    colors: false,
  })
  return { orm, findPool: () => pool }
}
