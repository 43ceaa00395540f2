import { randomUUID } from "node:crypto"
import { createWriteStream, mkdirSync, rmSync } from "node:fs"
import { unlink } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

const FOLDER = "exports"
/** Formats that are one file with a head and an end: the engine's pieces, put one after another, would be none. */
const WHOLE_FILE_FORMATS = new Set(["Parquet", "Arrow", "ORC"])

/** Whether the engine reads and writes a format as a whole file only. */
export const isWholeFile = (format: string | null): boolean => format !== null && WHOLE_FILE_FORMATS.has(format)

/** Makes the folder of answers and rows that pass through a file; what a crash left in it goes. */
export function prepareExchange(dataDirectory: string): void {
  const folder = join(dataDirectory, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** Path of a new file of that folder; whoever makes the file removes it. */
export const toExchangePath = (dataDirectory: string): string => join(dataDirectory, FOLDER, randomUUID())

/** Writes rows as they come to a new file, which is gone when they break off. @returns its path. */
export async function receiveFile(rows: Readable, dataDirectory: string): Promise<string> {
  const path = toExchangePath(dataDirectory)
  try {
    await pipeline(rows, createWriteStream(path, { mode: 0o600 }))
    return path
  } catch (error) {
    await removeFile(path)
    throw error
  }
}

/** Removes such a file, also when it was never made. */
export const removeFile = (path: string): Promise<void> => unlink(path).catch(() => undefined)
