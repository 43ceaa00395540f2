import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { startEmbeddedClickHouse } from "../../src/platform/embedded/embedded-clickhouse.js"
import { startEmbeddedPostgres } from "../../src/platform/embedded/embedded-postgres.js"
import { silentLogger } from "../../src/platform/logger/logger.js"

/** Stores that several processes share, private to one run. */
export interface SharedStores {
  /** Addresses as Waymark's configuration takes them. */
  readonly environment: Record<string, string>
  /** Stops Redis without closing its connections, and lets it go on. */
  freezeRedis(): void
  thawRedis(): void
  stop(): Promise<void>
}

/** Starts PostgreSQL, ClickHouse and Redis of their own. @throws Error when there is no redis-server. */
export async function startSharedStores(): Promise<SharedStores> {
  const directory = mkdtempSync(join(tmpdir(), "waymark-bench-stores-"))
  const socket = join(directory, "redis.sock")
  const redis = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", directory])
  const redisEnded = new Promise<void>((resolve, reject) => {
    redis.once("exit", () => resolve())
    redis.once("error", reject)
  })
  const [postgres, clickHouse] = await Promise.all([
    startEmbeddedPostgres({ dataDirectory: directory, logger: silentLogger }),
    startEmbeddedClickHouse({ dataDirectory: directory, logger: silentLogger }),
    Promise.race([listens(socket), redisEnded.then(() => Promise.reject(new Error("redis-server ended")))]),
  ])
  return {
    environment: { DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickHouse.url, REDIS_URL: `unix://${socket}` },
    freezeRedis: () => void redis.kill("SIGSTOP"),
    thawRedis: () => void redis.kill("SIGCONT"),
    stop: async () => {
      redis.kill("SIGKILL")
      await Promise.all([postgres.stop(), clickHouse.stop(), redisEnded])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function listens(socket: string): Promise<void> {
  while (!existsSync(socket)) await pause(10)
}
