import { existsSync, readdirSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { createBackup } from "../backup/create-backup.js"
import { type Manifest, readManifest } from "../backup/manifest.js"
import { requireKnownTables, restoreBackup } from "../backup/restore-backup.js"
import { verifyBackup } from "../backup/verify-backup.js"
import { waitBetweenBatches } from "../features/ingestion/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { StartupError } from "../platform/embedded/startup-error.js"
import { silentLogger } from "../platform/logger/logger.js"
import { showProgress } from "../platform/progress/progress.js"
import { type Environment, readEnvironment } from "./environment.js"
import { reachStores, startOwnServers } from "./reach-stores.js"
import { VERSION } from "./version.js"
import { untilInterrupted, withStores } from "./with-stores.js"

/** What a data directory holds that cannot be made anew: the key of encrypted payloads, the first keys. */
const DATA_FILES = ["flag-payload-key", "credentials.json"]

/** `npm run backup -- --to DIR`: a backup of the stores of a server, running or not. @returns what was done. */
export async function runBackup(options: readonly string[]): Promise<string> {
  const folder = readFolder(options, "to", "npm run backup -- --to DIR")
  const environment = readEnvironment()
  const manifest = await withStores(environment, reachStores, ({ postgres, clickHouse }, progress) =>
    createBackup({
      postgresUrl: postgres,
      clickHouse,
      dataDirectory: environment.dataDirectory,
      dataFiles: DATA_FILES,
      folder,
      version: VERSION,
      waitBetweenBatches,
      clock: systemClock,
      progress,
      signal: untilInterrupted("Given up. An earlier backup is as it was."),
    }),
  )
  return `Backed up ${describe(manifest)} to ${folder}.`
}

/** `npm run backup:verify -- --from DIR`. @returns that it is whole. @throws StartupError naming every fault. */
export async function runVerify(options: readonly string[]): Promise<string> {
  const folder = readFolder(options, "from", "npm run backup:verify -- --from DIR")
  const manifest = await readManifest(folder)
  await requireWhole(folder, manifest)
  return `${folder} is whole: ${describe(manifest)}.`
}

/** `npm run restore -- --from DIR`: fills an empty data directory, or empty stores. @returns what was done. */
export async function runRestore(options: readonly string[]): Promise<string> {
  const folder = readFolder(options, "from", "npm run restore -- --from DIR")
  const environment = readEnvironment()
  const manifest = await readManifest(folder)
  requireEmptyDirectory(environment)
  await requireKnownTables(manifest)
  await requireWhole(folder, manifest)
  await withStores(environment, startOwnServers, ({ postgres, clickHouse }, progress) =>
    restoreBackup({
      postgresUrl: postgres,
      clickHouse,
      folder,
      manifest,
      logger: silentLogger,
      progress,
      dataDirectory: environment.dataDirectory,
    }),
  )
  return `Restored ${describe(manifest)} from ${folder}.`
}

function readFolder(options: readonly string[], name: "from" | "to", usage: string): string {
  try {
    const { values } = parseArgs({ args: [...options], options: { [name]: { type: "string" } } })
    const folder = values[name]
    if (typeof folder === "string" && folder !== "") return resolve(folder)
  } catch {
    // Whatever is wrong with them, the usage says.
  }
  throw new StartupError(`Usage: ${usage}`)
}

async function requireWhole(folder: string, manifest: Manifest): Promise<void> {
  const progress = showProgress(process.stderr)
  const faults = await verifyBackup(folder, manifest, progress)
  progress.end()
  if (faults.length > 0) throw new StartupError(`${folder} is damaged. ${faults.join(" ")}`)
}

function requireEmptyDirectory({ databaseUrl, clickHouseUrl, dataDirectory }: Environment): void {
  const isEmbedding = databaseUrl === null || clickHouseUrl === null
  if (!isEmbedding || !existsSync(dataDirectory) || readdirSync(dataDirectory).length === 0) return
  throw new StartupError(`${dataDirectory} is not empty. Set DATA_DIR to a directory that is empty or absent.`)
}

function describe({ takenAt, postgres, clickHouse }: Manifest): string {
  const sum = (tables: readonly { readonly rows: number }[]): number =>
    tables.reduce((total, { rows }) => total + rows, 0)
  const events = sum(clickHouse.tables.find(({ name }) => name === "events")?.parts ?? [])
  const persons = postgres.tables.find(({ name }) => name === "person")?.rows ?? 0
  return `${events} stored events, ${persons} persons and all else of ${takenAt}`
}
