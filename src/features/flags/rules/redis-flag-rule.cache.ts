import { RULE_DOCUMENT_FORMAT } from "../../../flag-engine/index.js"
import type { RedisConnection } from "../../../platform/redis/redis-connection.js"
import type { FlagRuleCache } from "../flags.types.js"

/** The format is part of the key, so that versions of the program beside each other do not read each other's documents. */
const KEY_PREFIX = `waymark:flag-rules:${RULE_DOCUMENT_FORMAT}:`
const TTL_SECONDS = 30 * 24 * 3600

/** Writes only a higher version; a script, because two processes may build at the same time. */
const SET_IF_NEWER = `
  local known = redis.call('HGET', KEYS[1], 'version')
  if known and tonumber(known) >= tonumber(ARGV[1]) then return 0 end
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'document', ARGV[2])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  return 1`

/** Rule documents in Redis. Rejects with AppError store_unavailable while Redis is away. */
export function createRedisFlagRuleCache(connection: RedisConnection): FlagRuleCache {
  return {
    get: async (projectId) => {
      const text = await connection.run((redis) => redis.hget(KEY_PREFIX + projectId, "document"))
      return text === null ? null : JSON.parse(text)
    },
    set: async (document) => {
      const key = KEY_PREFIX + document.projectId
      const text = JSON.stringify(document)
      await connection.run((redis) => redis.eval(SET_IF_NEWER, 1, key, document.version, text, TTL_SECONDS))
    },
    delete: async (projectId) => {
      await connection.run((redis) => redis.del(KEY_PREFIX + projectId))
    },
    close: async () => undefined,
  }
}
