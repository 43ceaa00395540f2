import { createRequire } from "node:module"

/** An open connection: an own set of settings and parameters on the one data directory of the process. */
export type ChdbConnection = object & { readonly __connection: never }

/** The whole answer of some statements. */
export interface ChdbAnswer {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly bytesRead: number
}

/** What the engine says of an insert. */
export interface ChdbInsertAnswer {
  readonly rowsWritten: number
  readonly bytesWritten: number
}

/** A running SELECT whose answer is fetched piece by piece. */
export type ChdbStream = object & { readonly __stream: never }

/** A piece of a streamed answer, or its end. */
export type ChdbPiece = { readonly done: true } | { readonly done: false; readonly bytes: Uint8Array }

/** The part of chdb's native addon that is used here. Every call but the synchronous ones runs on libuv's thread pool. */
export interface ChdbAddon {
  /** Synchronous; about 0.15 s for the first connection of the process, 0.3 ms for every other. */
  CreateConnection(dataDirectory: string, commandLine?: readonly string[]): ChdbConnection
  /** Synchronous. Must not be called while the connection runs something: that ends the engine. */
  CloseConnection(connection: ChdbConnection): void
  /** Runs one or more statements; `format` is used where a statement has no FORMAT clause. */
  QueryAsyncConnection(connection: ChdbConnection, sql: string, format: string): Promise<ChdbAnswer>
  /** Runs `prefix` followed by `data` without copying the data into the JavaScript heap. */
  InsertRawAsyncConnection(
    connection: ChdbConnection,
    prefix: string,
    data: Uint8Array,
    countLines: boolean,
  ): Promise<ChdbInsertAnswer>
  /** Synchronous, and quick: the work begins with the first fetch. */
  StreamQuery(connection: ChdbConnection, sql: string, format: string): ChdbStream
  StreamFetch(stream: ChdbStream): Promise<ChdbPiece>
  /** Synchronous. Must not be called during a fetch. */
  StreamCancel(stream: ChdbStream): void
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "@chdb/lib-linux-x64-gnu",
  "linux-arm64": "@chdb/lib-linux-arm64-gnu",
  "darwin-x64": "@chdb/lib-darwin-x64",
  "darwin-arm64": "@chdb/lib-darwin-arm64",
}

/**
 * Loads the addon that the npm package `chdb` brings along. Its `Session` class is passed by because it puts off closing
 * a session until every statement of the process has ended, so that one long query would pile up all later sessions.
 * @throws Error on a platform without an engine.
 */
export function loadChdbAddon(): ChdbAddon {
  const platform = `${process.platform}-${process.arch}`
  const packageName = PLATFORM_PACKAGES[platform]
  if (packageName === undefined) throw new Error(`the embedded ClickHouse engine does not exist for ${platform}`)
  const chdbPackage = createRequire(import.meta.url).resolve("chdb/package.json")
  return createRequire(chdbPackage)(packageName) as ChdbAddon
}
