import { randomUUID } from "node:crypto"
import { createReadStream, mkdirSync, rmSync } from "node:fs"
import { unlink } from "node:fs/promises"
import { join } from "node:path"
import type { ChdbAddon, ChdbConnection } from "./chdb-addon.js"
import { toStringLiteral } from "./sql-literal.js"

/** Formats that are one file with a head and an end: the engine's pieces, put one after another, would be none. */
const WHOLE_FILE_FORMATS = new Set(["Parquet", "Arrow", "ORC"])
const FOLDER = "exports"

/** A SELECT whose answer goes out while it is made. */
export interface StreamedSelect {
  /** A SELECT without a FORMAT clause. */
  readonly statement: string
  readonly format: string
}

/** Makes the folder of answers that are written to a file first; what a crash left in it goes. */
export function prepareExports(dataDirectory: string): void {
  const folder = join(dataDirectory, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/** The bytes of an answer in pieces. Leaving the loop early frees the connection at once. */
export function readInPieces(
  addon: ChdbAddon,
  connection: ChdbConnection,
  dataDirectory: string,
  select: StreamedSelect,
): AsyncGenerator<Uint8Array> {
  return WHOLE_FILE_FORMATS.has(select.format)
    ? readThroughFile(addon, connection, dataDirectory, select)
    : readRows(addon, connection, select)
}

async function* readRows(addon: ChdbAddon, connection: ChdbConnection, { statement, format }: StreamedSelect) {
  const stream = addon.StreamQuery(connection, statement, format)
  try {
    for (;;) {
      const piece = await addon.StreamFetch(stream)
      if (piece.done) return
      yield piece.bytes
    }
  } finally {
    addon.StreamCancel(stream)
  }
}

async function* readThroughFile(
  addon: ChdbAddon,
  connection: ChdbConnection,
  dataDirectory: string,
  { statement, format }: StreamedSelect,
): AsyncGenerator<Uint8Array> {
  const path = join(dataDirectory, FOLDER, randomUUID())
  const sql = `${statement}\nINTO OUTFILE ${toStringLiteral(path)} FORMAT ${format}`
  try {
    await addon.QueryAsyncConnection(connection, sql, format)
    for await (const piece of createReadStream(path)) yield piece as Buffer
  } finally {
    await unlink(path).catch(() => undefined)
  }
}
