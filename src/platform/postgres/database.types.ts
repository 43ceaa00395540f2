import type { MikroORM } from "@mikro-orm/postgresql"
import type { Pool, PoolClient } from "pg"
import type { Records } from "./records.js"

/** The connections of one pool, and who waits for one. */
export interface PoolCount {
  readonly pool: string
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
}

/** PostgreSQL, embedded or a server: records through the ORM, and a plain pool for the hot paths. */
export interface Database {
  readonly records: Records
  readonly orm: MikroORM
  readonly pool: Pool
  /** Connections for the ingest log alone: appends wait for nobody's reads. Whoever uses them sets a deadline himself. */
  readonly appendPool: Pool
  /** A few connections for searches that read whatever a user asks for; a statement of theirs has 5 s. */
  readonly searchPool: Pool
  /** Connections of shard owners and ingesters, each for as long as it is one: its session holds their locks. */
  readonly ownerPool: Pool
  /** What the connections of each pool do now. */
  countConnections(): readonly PoolCount[]
  /** Runs `work` in one transaction of the plain pool; commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** Rejects when PostgreSQL does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
