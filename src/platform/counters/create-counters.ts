import type { RedisConnection } from "../redis/redis-connection.js"
import type { Counters } from "./counters.js"
import { createInProcessCounters, type InProcessCountersOptions } from "./in-process-counters.js"
import { createRedisCounters } from "./redis-counters.js"

/** Counters in Redis when there is one, else in this process's memory. */
export function createCounters(redis: RedisConnection | null, options: InProcessCountersOptions): Counters {
  return redis === null ? createInProcessCounters(options) : createRedisCounters(redis)
}
