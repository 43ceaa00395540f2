import type { RedisConnection } from "../redis/redis-connection.js"
import type { KeyValueCache } from "./key-value-cache.js"

const KEY_PREFIX = "waymark:cache:"

/** A cache in Redis, shared by every process. Rejects with AppError store_unavailable while Redis is away. */
export function createRedisKeyValueCache(connection: RedisConnection): KeyValueCache {
  return {
    get: (key) => connection.run((redis) => redis.get(KEY_PREFIX + key)),
    set: async (key, value, ttlSeconds) => {
      const ttlMs = Math.max(1, Math.round(ttlSeconds * 1000))
      await connection.run((redis) => redis.set(KEY_PREFIX + key, value, "PX", ttlMs))
    },
    take: (key) => connection.run((redis) => redis.getdel(KEY_PREFIX + key)),
    delete: async (key) => {
      await connection.run((redis) => redis.del(KEY_PREFIX + key))
    },
    heldBytes: () => 0,
    close: async () => undefined,
  }
}
