import { Redis, type RedisOptions } from "ioredis"
import { AppError } from "../../kernel/errors.js"
import type { Logger } from "../logger/logger.js"

/** A hung Redis must not stall callers: no command but subscriptions waits longer than this. */
const COMMAND_TIMEOUT_MS = 200
/**
 * After so many late answers in a row the socket is opened again, and until Redis greets it commands fail at once. Done here
 * because the client's own `socketTimeout` outlives its socket and then closes the next one (ioredis 5.11).
 */
const LATE_ANSWERS_BEFORE_RECONNECT = 3
const CONNECT_TIMEOUT_MS = 2_000
/** Whoever subscribes wants to hear the very next message, so it is worth a longer wait; a late subscription still counts. */
const SUBSCRIBE_TIMEOUT_MS = 2_000
const LONGEST_RECONNECT_PAUSE_MS = 2_000

export interface RedisConnectionOptions {
  /** `redis://…`, `rediss://…`, or `unix:///path/to/socket` (also `redis+unix:`). */
  readonly url: string
  readonly logger: Logger
}

/** A connection to Redis that reconnects by itself and never queues commands while it is down. */
export interface RedisConnection {
  /** Runs commands; an answer that is late or a lost connection is AppError store_unavailable. */
  run<T>(work: (redis: Redis) => Promise<T>): Promise<T>
  /** A second connection with the same rules, for subscriptions; closed together with this one. */
  openSubscriber(): Redis
  /** Rejects when Redis does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens a connection in the background: a Redis that is down at start is a warning, not a failure. */
export function openRedis({ url, logger }: RedisConnectionOptions): RedisConnection {
  const opened: Redis[] = []
  const open = (role: string, options: RedisOptions): Redis => {
    const redis = new Redis(toOptions(url, options))
    reportState(redis, logger.child({ store: "redis", role }))
    opened.push(redis)
    return redis
  }
  const commands = open("commands", { commandTimeout: COMMAND_TIMEOUT_MS })
  let lateAnswers = 0
  const run = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    try {
      const answer = await work(commands)
      lateAnswers = 0
      return answer
    } catch (cause) {
      lateAnswers = isLate(cause) ? lateAnswers + 1 : 0
      if (lateAnswers === LATE_ANSWERS_BEFORE_RECONNECT) commands.disconnect(true)
      throw new AppError("store_unavailable", {
        detail: "Redis is not usable just now.",
        retryAfterSeconds: 1,
        cause,
      })
    }
  }
  return {
    run,
    openSubscriber: () => open("subscriber", { autoResubscribe: false, commandTimeout: SUBSCRIBE_TIMEOUT_MS }),
    ping: async () => {
      await run((redis) => redis.ping())
    },
    close: async () => {
      for (const redis of opened) redis.disconnect()
    },
  }
}

const isLate = (error: unknown): boolean => error instanceof Error && error.message === "Command timed out"

function toOptions(url: string, extra: RedisOptions): RedisOptions {
  return {
    ...toAddress(url),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_RECONNECT_PAUSE_MS),
    ...extra,
  }
}

function toAddress(url: string): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  if (protocol === "unix:" || protocol === "redis+unix:") return { path: decodeURIComponent(pathname) }
  const database = pathname.slice(1)
  return {
    host: hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: port === "" ? 6379 : Number(port),
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    ...(database === "" ? {} : { db: Number(database) }),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
  }
}

/** Whether Redis has refused to select the database of the URL; the client hangs the command on the error. */
const isRefusedDatabase = (error: Error & { readonly command?: { readonly name?: string } }): boolean =>
  error.command?.name === "select"

/** One line when Redis goes and one when it comes back, however often it is tried in between. */
function reportState(redis: Redis, logger: Logger): void {
  let isDown = false
  redis.on("error", (error: Error) => {
    if (!isDown) logger.warn("Redis cannot be used: check that it runs and that REDIS_URL is right", { err: error })
    isDown = true
    // The client itself would go on with database 0, which is somebody else's.
    if (isRefusedDatabase(error)) redis.disconnect(true)
  })
  redis.on("ready", () => {
    if (isDown) logger.info("Redis can be used again")
    isDown = false
  })
}
