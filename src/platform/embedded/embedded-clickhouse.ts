import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Logger } from "../logger/logger.js"
import { type ChildMessage, EMBEDDED_DATABASE, type OpenMessage } from "./clickhouse-child/child-protocol.js"
import { ENGINE_THREADS } from "./clickhouse-child/statement-queues.js"
import { findOrphan } from "./owned-process.js"
import { toStartupError } from "./startup-error.js"
import { type SupervisedChild, superviseChild } from "./supervised-child.js"

export interface EmbeddedClickHouseOptions {
  /** Waymark's own data directory, locked by this process; the engine lives in its `clickhouse` folder. */
  readonly dataDirectory: string
  readonly logger: Logger
  /** Time for a query to end once it was stopped; after it the engine is started anew. 20 s when absent. */
  readonly stuckAfterMs?: number
}

/** The engine as a supervised child process; `stop` kills what runs and closes the engine in good order. */
export interface EmbeddedClickHouse extends SupervisedChild {
  /**
   * Where the engine listens now: `http://default:<password>@127.0.0.1:<port>/waymark`. It stays the same over
   * restarts unless another program took the port meanwhile, so read it again for every use.
   */
  readonly url: string
}

/** Under tests this file is run from src, but the child is always the compiled program. */
const CHILD_PROGRAM = fileURLToPath(
  new URL("../../../dist/platform/embedded/clickhouse-child/main.js", import.meta.url),
)
/** Threads of libuv's pool that the child needs besides: name lookups, files, inflating. */
const OTHER_THREADS = 4
/** The child's own JavaScript needs little; see `IdleCollection` for the first. */
const MEMORY_FLAGS = ["--expose-gc", "--max-semi-space-size=2"]
const OWNERSHIP_FILE = "process.json"
const ADDRESS_FILE = "address"
const STUCK_AFTER_MS = 20_000
const STOP_TIMEOUT_MS = 8_000
const FAILURE_PATTERN = /^Code: \d+\. DB::Exception: .*$/

/**
 * Starts the ClickHouse engine as a supervised child process on a loopback port with a random password; resolves when
 * it answers. An engine that dies is started again on the same directory and port. What an earlier run left behind on
 * the same data is stopped first.
 * @throws StartupError when it cannot be started; nothing is left running then.
 */
export async function startEmbeddedClickHouse({
  dataDirectory,
  logger,
  stuckAfterMs = STUCK_AFTER_MS,
}: EmbeddedClickHouseOptions): Promise<EmbeddedClickHouse> {
  const parent = join(dataDirectory, "clickhouse")
  const engineDirectory = join(parent, "engine")
  const password = randomBytes(24).toString("base64url")
  let port = 0
  try {
    mkdirSync(engineDirectory, { recursive: true, mode: 0o700 })
    const child = await superviseChild({
      name: "clickhouse",
      spawn: spawnEngine,
      waitUntilReady: async (engine, signal) => {
        const message: OpenMessage = { type: "open", dataDirectory: engineDirectory, port, password, stuckAfterMs }
        const opened = await openEngine(engine, message, signal)
        port = opened.port
        writeAddress(parent, toUrl(password, port))
        if (opened.repairedInserts > 0)
          logger.warn("an interrupted insert was cleared, its repetition will be stored", {
            ...opened,
            child: "clickhouse",
          })
      },
      failurePattern: FAILURE_PATTERN,
      outputLevel: "warn",
      ownershipFile: join(parent, OWNERSHIP_FILE),
      stopSignal: "SIGTERM",
      stopTimeoutMs: STOP_TIMEOUT_MS,
      logger,
    })
    return {
      get url() {
        return toUrl(password, port)
      },
      pid: () => child.pid(),
      stop: async () => {
        rmSync(join(parent, ADDRESS_FILE), { force: true })
        await child.stop()
      },
    }
  } catch (cause) {
    throw toStartupError("ClickHouse", engineDirectory, cause)
  }
}

/** The address of the engine that another process runs on a data directory; null when there is none. */
export function findEmbeddedClickHouse(dataDirectory: string): string | null {
  const parent = join(dataDirectory, "clickhouse")
  const isThere = existsSync(join(parent, ADDRESS_FILE)) && findOrphan(join(parent, OWNERSHIP_FILE)) !== null
  return isThere ? readFileSync(join(parent, ADDRESS_FILE), "utf8") : null
}

const toUrl = (password: string, port: number): string =>
  `http://default:${password}@127.0.0.1:${port}/${EMBEDDED_DATABASE}`

/** For commands beside the server. Whoever may read it may read the data next to it as well. */
function writeAddress(parent: string, url: string): void {
  const draft = join(parent, `${ADDRESS_FILE}.new`)
  writeFileSync(draft, url, { mode: 0o600 })
  renameSync(draft, join(parent, ADDRESS_FILE))
}

function spawnEngine(): ChildProcess {
  return spawn(process.execPath, [...MEMORY_FLAGS, "--enable-source-maps", CHILD_PROGRAM], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: true,
    env: {
      TZ: "UTC",
      LC_ALL: "C.UTF-8",
      UV_THREADPOOL_SIZE: String(ENGINE_THREADS + OTHER_THREADS),
      // Freed bodies of inserts go back to the system instead of staying in glibc's heap.
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "131072",
      MALLOC_TRIM_THRESHOLD_: "131072",
    },
  })
}

type Opened = Extract<ChildMessage, { type: "listening" }>

/** Tells the child what to open; resolves once it listens. */
function openEngine(child: ChildProcess, message: OpenMessage, signal: AbortSignal): Promise<Opened> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("it ended while starting")), { once: true })
    child.once("message", (answer: ChildMessage) => {
      if (answer.type === "listening") resolve(answer)
      else reject(new Error(answer.message))
    })
    child.send(message, (error) => {
      if (error !== null) reject(error)
    })
  })
}
