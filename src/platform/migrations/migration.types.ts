/** One step of a store's schema, as it stands in a file `NNNN_name.sql`. */
export interface Migration {
  /** File name without `.sql`; its number gives the order. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text in hexadecimal; line endings do not count. */
  readonly checksum: string
}

/** What the store records of a step. */
export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

/** Runs `work` while nobody else holds the same lock, in this process or another. */
export type MigrationLock = <T>(work: () => Promise<T>) => Promise<T>

/** A store whose schema can be moved forward. */
export interface MigrationTarget {
  /** The store's name for operators: "PostgreSQL". */
  readonly store: string
  readonly lock: MigrationLock
  /** Steps that were applied completely. The first call on an empty store prepares the bookkeeping. */
  applied(): Promise<readonly AppliedMigration[]>
  /** Applies one step and records it. Called again after a crash half-way, it completes the step. */
  apply(migration: Migration): Promise<void>
}
