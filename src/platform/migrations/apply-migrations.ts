import { StartupError } from "../embedded/startup-error.js"
import type { Logger } from "../logger/logger.js"
import { loadMigrations } from "./load-migrations.js"
import type { AppliedMigration, Migration, MigrationTarget } from "./migration.types.js"

export interface ApplyMigrationsOptions {
  readonly target: MigrationTarget
  /** Folder of `NNNN_name.sql` files; see `migrationsDirectory`. */
  readonly directory: string
  /** Names of the only ones to apply: what the store is to be filled with was written under these. All when absent. */
  readonly only?: ReadonlySet<string>
  readonly logger: Logger
}

/**
 * Moves a store's schema forward to what this program needs: applies, in the order of their numbers, the migrations that
 * the store does not have. Of several programs started together one applies each and the others wait. A crash at any
 * point is made good by the next start.
 * @returns names of the migrations applied now.
 * @throws StartupError when the store has a migration that this program does not know, when a migration was changed after
 * it had been applied, or when the store refuses one.
 */
export async function applyMigrations({ target, directory, only, logger }: ApplyMigrationsOptions): Promise<string[]> {
  const known = await loadMigrations(directory)
  return target.lock(async () => {
    const applied = await target.applied()
    refuseNewerData(target, known, applied)
    refuseChangedMigrations(target, known, applied)
    const done = new Set(applied.map(({ name }) => name))
    const pending = known.filter(({ name }) => !done.has(name) && (only?.has(name) ?? true))
    for (const migration of pending) {
      await applyOne(target, migration)
      logger.info("applied a migration", { store: target.store, migration: migration.name })
    }
    return pending.map(({ name }) => name)
  })
}

function refuseNewerData(target: MigrationTarget, known: Migration[], applied: readonly AppliedMigration[]): void {
  const names = new Set(known.map(({ name }) => name))
  const unknown = applied.findLast(({ name }) => !names.has(name))
  if (unknown === undefined) return
  throw new StartupError(
    `The data in ${target.store} was written by a newer Waymark (migration ${unknown.name}). Start that version or newer.`,
  )
}

function refuseChangedMigrations(
  target: MigrationTarget,
  known: Migration[],
  applied: readonly AppliedMigration[],
): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const changed = known.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (changed === undefined) return
  throw new StartupError(
    `Migration ${changed.name} was changed after ${target.store} had applied it. Restore its file and put the change into a new migration.`,
  )
}

async function applyOne(target: MigrationTarget, migration: Migration): Promise<void> {
  try {
    await target.apply(migration)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`Migration ${migration.name} failed on ${target.store}: ${reason}`, { cause })
  }
}
