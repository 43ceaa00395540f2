import type { RedisConnection } from "../redis/redis-connection.js"
import type { Counters } from "./counters.js"

const KEY_PREFIX = "waymark:counter:"

/** Adds and, for a counter without an end, sets the end of its window; one script, so that no counter lives forever. */
const INCREMENT = `
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return value`

/** Counters in Redis, shared by every process. Rejects with AppError store_unavailable while Redis is away. */
export function createRedisCounters(connection: RedisConnection): Counters {
  return {
    increment: (key, by, windowSeconds) => {
      const windowMs = Math.max(1, Math.round(windowSeconds * 1000))
      return connection.run(async (redis) => Number(await redis.eval(INCREMENT, 1, KEY_PREFIX + key, by, windowMs)))
    },
    read: (key) => connection.run(async (redis) => Number((await redis.get(KEY_PREFIX + key)) ?? 0)),
    close: async () => undefined,
  }
}
