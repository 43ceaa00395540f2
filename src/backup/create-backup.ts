import { resolve } from "node:path"
import type { ClientBase } from "pg"
import type { Clock } from "../kernel/clock.js"
import type { ClickHouse } from "../platform/clickhouse/click-house.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { withPostgres } from "../platform/postgres/with-postgres.js"
import type { Progress } from "../platform/progress/progress.js"
import { filterThere, openBackupFolder, removeOtherFiles, SUBFOLDERS } from "./backup-folder.js"
import { locksBackups } from "./backup-lock.js"
import {
  dropSnapshots,
  findStoreId,
  listAppliedMigrations,
  type TableSnapshot,
  takeSnapshots,
} from "./click-house-tables.js"
import { exportDataFiles } from "./data-files.js"
import { listFiles, type Manifest, type TablePart, writeManifest } from "./manifest.js"
import { exportRecords, readStoreId } from "./postgres-tables.js"
import { exportTable } from "./table-parts.js"

export interface BackupOptions {
  readonly postgresUrl: string
  readonly clickHouse: ClickHouse
  readonly dataDirectory: string
  /** Files of the data directory that belong to the backup, where they are. */
  readonly dataFiles: readonly string[]
  /** Where the backup goes; what an earlier one has written there and is still the same stays. */
  readonly folder: string
  /** Of this program. */
  readonly version: string
  /** Lets nobody begin a batch until the transaction of the connection ends; resolves when none is under way. */
  readonly waitBetweenBatches: (client: ClientBase) => Promise<void>
  readonly clock: Clock
  readonly progress: Progress
  /** Aborting gives the backup up: what the folder held is as it was. */
  readonly signal: AbortSignal
}

const APPLICATION = "waymark backup"
/** For whoever looks at the server; the backup itself has the moment of the one before. */
const NOTE_BACKUP = `INSERT INTO last_backup (taken_at) VALUES ($1)
  ON CONFLICT (only_row) DO UPDATE SET taken_at = excluded.taken_at`
/** Tables whose changes are copied to ClickHouse: nobody writes them while both stores are kept as they are. */
const COPIED_TABLES = "person, person_split, person_deletion, cohort_member, cohort_member_change, plugin_log_append"

/**
 * Writes a backup of both stores as they are between two batches, while the server goes on (decision 0084).
 * @throws StartupError when the operator has to change something; what the folder held is as it was.
 */
export function createBackup(options: BackupOptions): Promise<Manifest> {
  const { postgresUrl, clickHouse, clock, progress, signal } = options
  const folder = resolve(options.folder)
  const takenAt = new Date(clock.now()).toISOString()
  return withPostgres(postgresUrl, APPLICATION, async (exporter) => {
    if (!(await locksBackups(exporter)))
      throw new StartupError("Another backup or an export of this installation is under way.")
    const storeId = await readStoreId(exporter)
    if ((await findStoreId(clickHouse)) !== storeId)
      throw new StartupError("PostgreSQL and ClickHouse are not of one installation.")
    const earlier = await openBackupFolder(folder, storeId)
    progress.show("Waiting for a moment between two batches")
    await dropSnapshots(clickHouse)
    try {
      const snapshots = await keepBothStores(options, exporter)
      const inside = takenAt.replaceAll(/\W/g, "")
      const postgres = await exportRecords(exporter, folder, `postgres/${inside}`, progress, signal)
      await exporter.query("COMMIT")
      const tables: Manifest["clickHouse"]["tables"] = []
      for (const snapshot of snapshots) {
        const known = await listKnownParts(folder, earlier, snapshot)
        tables.push(await exportTable(clickHouse, snapshot, { folder, known, progress, signal }))
      }
      const migrations = await listAppliedMigrations(clickHouse)
      const dataFiles = await exportDataFiles(options.dataDirectory, options.dataFiles, folder, `data/${inside}`)
      const content = { waymark: options.version, takenAt, storeId, postgres, dataFiles }
      const manifest = await writeManifest(folder, { ...content, clickHouse: { migrations, tables } })
      await removeOtherFiles(folder, SUBFOLDERS, listFiles(manifest))
      await exporter.query(NOTE_BACKUP, [takenAt])
      return manifest
    } finally {
      await dropSnapshots(clickHouse)
    }
  })
}

/**
 * Begins a transaction of `exporter` that sees PostgreSQL as it is at one moment between two batches, and keeps the
 * tables of ClickHouse as they are then. Ingestion waits for that, some tenths of a second; capture does not.
 */
function keepBothStores(
  { postgresUrl, clickHouse, waitBetweenBatches }: BackupOptions,
  exporter: ClientBase,
): Promise<TableSnapshot[]> {
  return withPostgres(postgresUrl, APPLICATION, async (holder) => {
    await holder.query("BEGIN")
    await waitBetweenBatches(holder)
    await holder.query(`LOCK TABLE ${COPIED_TABLES} IN SHARE MODE`)
    await exporter.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // The first statement decides what the transaction sees.
    await exporter.query("SELECT 1")
    return takeSnapshots(clickHouse)
  })
}

async function listKnownParts(
  folder: string,
  earlier: Manifest | null,
  { name }: TableSnapshot,
): Promise<readonly TablePart[]> {
  return filterThere(folder, earlier?.clickHouse.tables.find((table) => table.name === name)?.parts ?? [])
}
