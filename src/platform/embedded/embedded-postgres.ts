import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Client, DatabaseError } from "pg"
import type { Logger } from "../logger/logger.js"
import { asAccount, findServerAccount, reachableBy, type ServerAccount } from "./embedded-postgres-account.js"
import { ensureCluster, SERVER_USER } from "./embedded-postgres-cluster.js"
import { stopLeftovers } from "./embedded-postgres-leftovers.js"
import { type PostgresRuntime, preparePostgresRuntime } from "./embedded-postgres-runtime.js"
import { maxWalBytes, serverArguments } from "./embedded-postgres-settings.js"
import { findSocketDirectory, openSocketDirectory } from "./embedded-postgres-socket.js"
import { toStartupError } from "./startup-error.js"
import { type SupervisedChild, superviseChild } from "./supervised-child.js"

export interface EmbeddedPostgresOptions {
  /** Waymark's own data directory, locked by this process; PostgreSQL lives in its `postgres` folder. */
  readonly dataDirectory: string
  readonly logger: Logger
}

/** The server as a supervised child process; `stop` ends its sessions and leaves everything on disk. */
export interface EmbeddedPostgres extends SupervisedChild {
  /** `postgresql://postgres@<socket directory>/waymark`, the same for every start on the same data directory. */
  readonly url: string
}

const DATABASE = "waymark"
const READY_POLL_MS = 10
/** Long enough for crash recovery of a full write-ahead log on a slow disk. */
const READY_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 8_000
/** Why the server gives up. What it tells one session, of its start and end above all, is no reason. */
const FAILURE_PATTERN =
  /\b(?:FATAL|PANIC): +(?!the database system is |terminating |sorry, |remaining connection |database ".*" does not exist)(.*)$/

/**
 * Starts Waymark's own PostgreSQL as a child process on a unix socket, initialising its data the first time, and starts
 * it again whenever it dies. What an earlier run left behind on the same data is stopped first.
 * @throws StartupError when it cannot be started; nothing is left running then.
 */
export async function startEmbeddedPostgres({
  dataDirectory,
  logger,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const parent = join(dataDirectory, "postgres")
  mkdirSync(parent, { recursive: true, mode: 0o711 })
  const account = findServerAccount()
  const runtime = preparePostgresRuntime(account, logger)
  const clusterDirectory = await ensureCluster(parent, runtime, account)
  const socketDirectory = openSocketDirectory(dataDirectory, account)
  const removeSocketDirectory = (): void => rmSync(socketDirectory, { recursive: true, force: true })
  try {
    const child = await superviseChild({
      name: "postgres",
      beforeStart: () => stopLeftovers(clusterDirectory, socketDirectory, logger),
      spawn: () => spawnServer(runtime, clusterDirectory, socketDirectory, account),
      waitUntilReady: (_child, signal) => waitUntilReady(socketDirectory, signal),
      failurePattern: FAILURE_PATTERN,
      outputLevel: "debug",
      ownershipFile: join(parent, "process.json"),
      stopSignal: "SIGINT",
      stopTimeoutMs: STOP_TIMEOUT_MS,
      logger,
    })
    return {
      url: databaseUrl(socketDirectory, DATABASE),
      pid: () => child.pid(),
      stop: async () => {
        await child.stop()
        removeSocketDirectory()
      },
    }
  } catch (cause) {
    removeSocketDirectory()
    throw toStartupError("PostgreSQL", clusterDirectory, cause)
  }
}

/** The address of the PostgreSQL that another process runs on a data directory; null when there is none. */
export function findEmbeddedPostgres(dataDirectory: string): string | null {
  const socketDirectory = existsSync(dataDirectory) ? findSocketDirectory(dataDirectory) : null
  return socketDirectory && databaseUrl(socketDirectory, DATABASE)
}

function spawnServer(
  runtime: PostgresRuntime,
  clusterDirectory: string,
  socketDirectory: string,
  account: ServerAccount | null,
): ChildProcess {
  const target = reachableBy(account, clusterDirectory)
  const { blocks, bsize } = statfsSync(clusterDirectory)
  const walBytes = maxWalBytes(blocks * bsize)
  const child = spawn(runtime.postgres, serverArguments(target.argument, socketDirectory, walBytes), {
    ...asAccount(account),
    detached: true,
    stdio: ["ignore", "ignore", "pipe", ...target.stdio],
  })
  target.release()
  return child
}

async function waitUntilReady(socketDirectory: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  for (;;) {
    signal.throwIfAborted()
    const answer = await tryConnecting(databaseUrl(socketDirectory, DATABASE))
    if (answer === "ready") return
    if (answer === "no such database") await createDatabase(socketDirectory)
    else if (performance.now() > deadline) throw new Error("PostgreSQL did not become ready in time")
    else await sleep(READY_POLL_MS)
  }
}

async function tryConnecting(url: string): Promise<"ready" | "no such database" | "not yet"> {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  try {
    await client.connect()
    return "ready"
  } catch (error) {
    return error instanceof DatabaseError && error.code === "3D000" ? "no such database" : "not yet"
  } finally {
    await client.end()
  }
}

async function createDatabase(socketDirectory: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(socketDirectory, "postgres") })
  await client.connect()
  try {
    await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

const databaseUrl = (socketDirectory: string, database: string): string =>
  `postgresql://${SERVER_USER}@${encodeURIComponent(socketDirectory)}/${database}`
