import { parseExactJson } from "../../../kernel/exact-json.js"
import type { KeyValueCache } from "../../../platform/cache/key-value-cache.js"
import type { CachedAnswer, QueryResultCache } from "../queries.types.js"

const KEEP_SECONDS = 24 * 60 * 60
/** A larger answer is calculated again rather than kept: it would crowd out hundreds of others. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024

/** Query results as JSON text in the key-value cache. A cache that fails is as good as an empty one. */
export function createQueryResultCache(cache: KeyValueCache, onFailure: (failure: unknown) => void): QueryResultCache {
  return {
    async find(cacheKey) {
      try {
        const text = await cache.get(cacheKey)
        return text === null ? null : (parseExactJson(text) as unknown as CachedAnswer)
      } catch (failure) {
        onFailure(failure)
        return null
      }
    },
    async keep(cacheKey, result) {
      const text = JSON.stringify(result)
      if (text.length > MAX_KEPT_CHARACTERS) return false
      try {
        await cache.set(cacheKey, text, KEEP_SECONDS)
      } catch (failure) {
        onFailure(failure)
      }
      return true
    },
  }
}
