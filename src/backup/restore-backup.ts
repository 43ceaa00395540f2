import type { ClientBase } from "pg"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import type { Logger } from "../platform/logger/logger.js"
import { applyMigrations } from "../platform/migrations/apply-migrations.js"
import { clickHouseMigrationTarget } from "../platform/migrations/click-house-migration-target.js"
import { loadMigrations, migrationsDirectory } from "../platform/migrations/load-migrations.js"
import type { AppliedMigration, MigrationTarget } from "../platform/migrations/migration.types.js"
import { postgresLock, postgresMigrationTarget } from "../platform/migrations/postgres-migration-target.js"
import { requireStorePair } from "../platform/migrations/require-store-pair.js"
import { withPostgres } from "../platform/postgres/with-postgres.js"
import type { Progress } from "../platform/progress/progress.js"
import { findStoreId, hasNoTables } from "./click-house-tables.js"
import { importDataFiles } from "./data-files.js"
import type { Manifest } from "./manifest.js"
import { importRecords, isEmptyDatabase } from "./postgres-tables.js"
import { importTable } from "./table-parts.js"

export interface RestoreOptions {
  readonly postgresUrl: string
  readonly clickHouse: ClickHouse
  readonly folder: string
  readonly manifest: Manifest
  readonly logger: Logger
  readonly progress: Progress
  /** Where files of the backup that belong to no store go. */
  readonly dataDirectory: string
}

const APPLICATION = "waymark restore"
type Store = "postgres" | "clickhouse"

/**
 * Fills two empty stores from a backup. They get the tables that the backup was made of, which the next start moves on,
 * and an id of their own: neither can be used with a store of the installation that was backed up.
 * @throws StartupError when a store is not empty, or does not get what the manifest says.
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { postgresUrl, clickHouse, folder, manifest, logger, progress, dataDirectory } = options
  await withPostgres(postgresUrl, APPLICATION, async (client) => {
    await requireEmptyStores(client, clickHouse)
    progress.show("Making tables")
    const apply = (target: MigrationTarget, store: Store, migrations: readonly AppliedMigration[]) =>
      applyMigrations({
        target,
        directory: migrationsDirectory(store),
        only: new Set(migrations.map(({ name }) => name)),
        logger,
      })
    await apply(postgresMigrationTarget(postgresUrl), "postgres", manifest.postgres.migrations)
    // From here on a server that finds ClickHouse without the id takes it for one that was lost.
    await client.query("UPDATE store_pair SET is_in_click_house = true")
    const lock = postgresLock(postgresUrl, APPLICATION)
    const whenConnected = () => pairStores(client, clickHouse)
    const target = clickHouseMigrationTarget(clickHouse, lock, { whenConnected })
    await apply(target, "clickhouse", manifest.clickHouse.migrations)
    for (const table of manifest.clickHouse.tables) await importTable(clickHouse, table, folder, progress)
    await importRecords(client, folder, manifest.postgres, progress, async () => {
      await importDataFiles(folder, manifest.dataFiles, dataDirectory)
      await endPairing(client, clickHouse)
    })
  })
}

/** The same for both stores, so that nothing is left behind where one of them is refused. */
async function requireEmptyStores(client: ClientBase, clickHouse: ClickHouse): Promise<void> {
  const full = [
    ...((await isEmptyDatabase(client)) ? [] : ["PostgreSQL"]),
    ...((await hasNoTables(clickHouse)) ? [] : ["ClickHouse"]),
  ]
  if (full.length > 0) throw new StartupError(`${full.join(" and ")} must be empty: there are tables already.`)
}

/** Makes sure that this program knows all tables of a backup. @throws StartupError when it is of a newer one. */
export async function requireKnownTables({ postgres, clickHouse }: Manifest): Promise<void> {
  await requireKnown("postgres", postgres.migrations)
  await requireKnown("clickhouse", clickHouse.migrations)
}

async function requireKnown(store: Store, migrations: readonly AppliedMigration[]): Promise<void> {
  const known = new Map(
    (await loadMigrations(migrationsDirectory(store))).map(({ name, checksum }) => [name, checksum]),
  )
  const unknown = migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (unknown === undefined) return
  throw new StartupError(`The backup is of a newer Waymark (migration ${unknown.name}). Restore it with that version.`)
}

/** Until everything is there PostgreSQL has an id that ClickHouse does not, so that no server starts on half of it. */
async function pairStores(client: ClientBase, clickHouse: ClickHouse): Promise<void> {
  const names = { postgresName: "PostgreSQL", clickHouseName: "ClickHouse" }
  await client.query("BEGIN")
  await client.query("UPDATE store_pair SET id = gen_random_uuid(), is_in_click_house = false")
  await requireStorePair({ ...names, pool: client, clickHouse })
  await client.query("UPDATE store_pair SET id = gen_random_uuid()")
  await client.query("COMMIT")
}

async function endPairing(client: ClientBase, clickHouse: ClickHouse): Promise<void> {
  await client.query("UPDATE store_pair SET id = $1", [await findStoreId(clickHouse)])
}
