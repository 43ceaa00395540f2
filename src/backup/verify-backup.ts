import { createReadStream } from "node:fs"
import { join } from "node:path"
import { createGunzip } from "node:zlib"
import type { Progress } from "../platform/progress/progress.js"
import { readDigest } from "./backup-file.js"
import { listFiles, type Manifest } from "./manifest.js"

const LINE_FEED = 10

/**
 * Reads a whole backup and holds it against its manifest: that each file is there, as long and with the sum that it
 * had, and that there are as many records as were written. Rows of Parquet files are counted by `restoreBackup`.
 * @returns what is wrong, a sentence each; nothing when the backup is whole.
 */
export async function verifyBackup(folder: string, manifest: Manifest, progress: Progress): Promise<string[]> {
  const faults: string[] = []
  const files = listFiles(manifest)
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    progress.show(`File ${index + 1} of ${files.length}: ${path}`)
    const found = await readDigest(join(folder, path))
    if (found === null) faults.push(`${path} is missing or cannot be read.`)
    else if (found.bytes !== bytes) faults.push(`${path} has ${found.bytes} bytes and not ${bytes}.`)
    else if (found.sha256 !== sha256) faults.push(`${path} has changed since it was written.`)
  }
  if (faults.length > 0) return faults
  for (const { name, rows, file } of manifest.postgres.tables) {
    const found = await countRecords(join(folder, file.path))
    if (found !== rows) faults.push(`${file.path} has ${found} records of ${name} and not ${rows}.`)
  }
  return faults
}

/** A record is a line: COPY escapes those within. */
async function countRecords(path: string): Promise<number> {
  let count = 0
  for await (const piece of createReadStream(path).pipe(createGunzip()))
    for (const byte of piece as Buffer) if (byte === LINE_FEED) count++
  return count
}
