import type { RedisConnection } from "../redis/redis-connection.js"
import { createInProcessKeyValueCache, type InProcessCacheOptions } from "./in-process-key-value-cache.js"
import type { KeyValueCache } from "./key-value-cache.js"
import { createRedisKeyValueCache } from "./redis-key-value-cache.js"

/** A cache in Redis when there is one, else in this process's memory. */
export function createKeyValueCache(redis: RedisConnection | null, options: InProcessCacheOptions): KeyValueCache {
  return redis === null ? createInProcessKeyValueCache(options) : createRedisKeyValueCache(redis)
}
