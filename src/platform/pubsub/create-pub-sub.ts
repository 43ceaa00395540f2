import type { Logger } from "../logger/logger.js"
import type { RedisConnection } from "../redis/redis-connection.js"
import { createInProcessPubSub } from "./in-process-pub-sub.js"
import type { PubSub } from "./pub-sub.js"
import { createRedisPubSub } from "./redis-pub-sub.js"

/** Fan-out over Redis when there is one, else within this process. */
export function createPubSub(redis: RedisConnection | null, logger: Logger): PubSub {
  return redis === null ? createInProcessPubSub(logger) : createRedisPubSub(redis, logger)
}
