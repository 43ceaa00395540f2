import { createReadStream } from "node:fs"
import type { ChdbAddon, ChdbConnection } from "./chdb-addon.js"
import { isWholeFile, removeFile, toExchangePath } from "./exchange-files.js"
import { toStringLiteral } from "./sql-literal.js"

/** A SELECT whose answer goes out while it is made. */
export interface StreamedSelect {
  /** A SELECT without a FORMAT clause. */
  readonly statement: string
  readonly format: string
}

/** The bytes of an answer in pieces. Leaving the loop early frees the connection at once. */
export function readInPieces(
  addon: ChdbAddon,
  connection: ChdbConnection,
  dataDirectory: string,
  select: StreamedSelect,
): AsyncGenerator<Uint8Array> {
  return isWholeFile(select.format)
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
  const path = toExchangePath(dataDirectory)
  const sql = `${statement}\nINTO OUTFILE ${toStringLiteral(path)} FORMAT ${format}`
  try {
    await addon.QueryAsyncConnection(connection, sql, format)
    for await (const piece of createReadStream(path)) yield piece as Buffer
  } finally {
    await removeFile(path)
  }
}
