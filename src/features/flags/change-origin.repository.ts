import type { EntityManager } from "@mikro-orm/postgresql"

/** Where a change of a flag comes from that nobody makes by hand. */
export interface ChangeOrigin {
  /** What the audit log calls the change. */
  readonly activity: string
  /** Writes what has to be written exactly when the change is. What it throws undoes the change. */
  alongside(em: EntityManager): Promise<void>
}
