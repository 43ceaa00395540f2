import { createReadStream, existsSync } from "node:fs"
import { chmod, copyFile, mkdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { writeBackupFile } from "./backup-file.js"
import type { BackupFile } from "./manifest.js"

/** Copies those of the named files that a data directory has. */
export async function exportDataFiles(
  dataDirectory: string,
  names: readonly string[],
  folder: string,
  inside: string,
): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const name of names.filter((each) => existsSync(join(dataDirectory, each))))
    files.push(await writeBackupFile(folder, `${inside}/${name}`, createReadStream(join(dataDirectory, name))))
  return files
}

/** Puts them into another data directory, readable by its owner alone. */
export async function importDataFiles(
  folder: string,
  files: readonly BackupFile[],
  dataDirectory: string,
): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  for (const { path } of files) {
    const target = join(dataDirectory, basename(path))
    await copyFile(join(folder, path), target)
    await chmod(target, 0o600)
  }
}
