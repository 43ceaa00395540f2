import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { StartupError } from "../platform/embedded/startup-error.js"
import { type BackupFile, findManifest, listFiles, type Manifest } from "./manifest.js"

/** Everything but the manifest lies in these. */
const SUBFOLDERS = ["postgres", "clickhouse", "data"]

/**
 * Opens the folder that a backup is to be written to, and makes it when it is absent.
 * @returns the manifest of the backup that is in it; null when there is none.
 * @throws StartupError when it holds anything else, or the backup of another installation.
 */
export async function openBackupFolder(folder: string, storeId: string): Promise<Manifest | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const earlier = await findManifest(folder)
  if (earlier === null) {
    const others = (await readdir(folder)).filter((name) => !SUBFOLDERS.includes(name))
    if (others.length === 0) return null
    throw new StartupError(`${folder} holds something else than a backup, such as ${others[0]}. Name an empty folder.`)
  }
  if (earlier.storeId === storeId) return earlier
  throw new StartupError(`${folder} holds a backup of another installation. Name an empty folder.`)
}

/** Removes what no backup needs any more: files of the one before, and of one that was broken off. */
export async function removeOtherFiles(folder: string, manifest: Manifest): Promise<void> {
  const kept = new Set(listFiles(manifest).map(({ path }) => path))
  for (const subfolder of SUBFOLDERS) {
    const found = await readdir(join(folder, subfolder), { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of found.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      if (!kept.has(path.slice(folder.length + 1))) await rm(path)
    }
    for (const inner of await readdir(join(folder, subfolder)).catch(() => []))
      if ((await readdir(join(folder, subfolder, inner))).length === 0)
        await rm(join(folder, subfolder, inner), { recursive: true })
  }
}

/** Whether a file of a backup is there and as long as it was; `verifyBackup` reads it. */
export async function isThere(folder: string, { path, bytes }: BackupFile): Promise<boolean> {
  const found = await stat(join(folder, path)).catch(() => null)
  return found?.size === bytes
}
