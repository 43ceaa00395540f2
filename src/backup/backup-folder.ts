import { mkdir, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StartupError } from "../platform/embedded/startup-error.js"
import { type BackupFile, findManifest, MANIFEST_DRAFT, type Manifest, type TablePart } from "./manifest.js"

/** Everything of a backup but the manifest lies in these. */
export const SUBFOLDERS = ["postgres", "clickhouse", "data"]

/**
 * Opens the folder that a backup is to be written to, and makes it when it is absent.
 * @returns the manifest of the backup that is in it; null when there is none.
 * @throws StartupError when it holds anything else, or the backup of another installation.
 */
export async function openBackupFolder(folder: string, storeId: string): Promise<Manifest | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const earlier = await findManifest(folder)
  if (earlier === null) {
    const found = await readdir(folder)
    // Others keep their databases in folders of the same names: only the draft says that they are of a backup.
    if (found.length === 0) await writeFile(join(folder, MANIFEST_DRAFT), "", { mode: 0o600 })
    const isBegun = found.length === 0 || found.includes(MANIFEST_DRAFT)
    const other = found.find((name) => name !== MANIFEST_DRAFT && !(isBegun && SUBFOLDERS.includes(name)))
    if (other === undefined) return null
    throw new StartupError(`${folder} holds something else than a backup, such as ${other}. Name an empty folder.`)
  }
  if (earlier.storeId === storeId) return earlier
  throw new StartupError(`${folder} holds a backup of another installation. Name an empty folder.`)
}

/** Leaves of subfolders the files that a manifest names: others are of the run before, or of one that was broken off. */
export async function removeOtherFiles(
  folder: string,
  subfolders: readonly string[],
  files: readonly BackupFile[],
): Promise<void> {
  const kept = new Set(files.map(({ path }) => path))
  for (const subfolder of subfolders) {
    const found = await readdir(join(folder, subfolder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of found.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      if (!kept.has(path.slice(folder.length + 1))) await rm(path)
    }
    // Those that hold anything stay.
    for (const inner of await readdir(join(folder, subfolder)).catch(() => []))
      await rmdir(join(folder, subfolder, inner)).catch(() => undefined)
  }
}

/** Those parts whose files are there and as long as they were; `verifyBackup` reads them. */
export async function filterThere<Part extends TablePart>(folder: string, parts: readonly Part[]): Promise<Part[]> {
  const sizes = await Promise.all(parts.map(({ file }) => stat(join(folder, file.path)).catch(() => null)))
  return parts.filter(({ file }, index) => sizes[index]?.size === file.bytes)
}
