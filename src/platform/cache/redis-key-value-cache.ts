import type { RedisConnection } from "../redis/redis-connection.js"
import type { KeyValueCache } from "./key-value-cache.js"

const KEY_PREFIX = "waymark:cache:"
/** Few enough that nobody who asks Redis for something else waits. */
const SCANNED_AT_ONCE = 1_000

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
    deleteAll: async (prefix) => {
      const pattern = `${KEY_PREFIX}${prefix.replaceAll(/[\\*?[\]]/g, "\\$&")}*`
      let cursor = "0"
      do {
        const [next, keys] = await connection.run((redis) =>
          redis.scan(cursor, "MATCH", pattern, "COUNT", SCANNED_AT_ONCE),
        )
        if (keys.length > 0) await connection.run((redis) => redis.unlink(keys))
        cursor = next
      } while (cursor !== "0")
    },
    heldBytes: () => 0,
    close: async () => undefined,
  }
}
