import type { EntityManager, MikroORM } from "@mikro-orm/postgresql"
import { whenReachable } from "./when-reachable.js"

/**
 * Records of management (users, projects, playlists …) as entities of MikroORM. Each call has a unit of work of its own.
 * Every method throws AppError store_unavailable when PostgreSQL cannot be reached.
 */
export interface Records {
  /** Loads entities; what is changed of them is not written. */
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction, which ends with writing all new, changed and removed entities. */
  write<T>(work: (em: EntityManager) => Promise<T>): Promise<T>
  /** As `write`, while no other process runs work under the same name. */
  writeExclusively<T>(name: string, work: (em: EntityManager) => Promise<T>): Promise<T>
}

/** Records over an open ORM. */
export function createRecords({ em }: Pick<MikroORM, "em">): Records {
  const write: Records["write"] = (work) => whenReachable(() => em.fork().transactional(work))
  return {
    read: (work) => whenReachable(() => work(em.fork())),
    write,
    writeExclusively: (name, work) =>
      write(async (locked) => {
        await locked.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name])
        return work(locked)
      }),
  }
}
