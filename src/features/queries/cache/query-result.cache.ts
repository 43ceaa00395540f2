import { parseExactJson } from "../../../kernel/exact-json.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { KeyValueCache } from "../../../platform/cache/key-value-cache.js"
import type { CachedAnswer, QueryResultCache, ResultPlace } from "../queries.types.js"
import type { FindGeneration } from "./answer-erasure.store.js"
import { toCacheKeyPrefix } from "./cache-key.js"

const KEEP_SECONDS = 24 * 60 * 60
/** A larger answer is calculated again rather than kept: it would crowd out hundreds of others. */
const MAX_KEPT_CHARACTERS = 4 * 1024 * 1024

/** Query results as JSON text in the key-value cache. A cache that fails is as good as an empty one. */
export function createQueryResultCache(
  cache: KeyValueCache,
  findGeneration: FindGeneration,
  onFailure: (failure: unknown) => void,
): QueryResultCache {
  /** Who raised the generation before this looks has deleted what was kept before; who raises it later will. */
  async function deleteUnlessCurrent({ projectId, cacheKey, generation }: ResultPlace): Promise<void> {
    const current = await findGeneration(projectId).catch(onFailure)
    if (current !== generation) await cache.delete(cacheKey)
  }

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
    async keep(place, result) {
      const text = JSON.stringify(result)
      if (text.length > MAX_KEPT_CHARACTERS) return false
      try {
        await cache.set(place.cacheKey, text, KEEP_SECONDS)
        // Nobody has to wait for it.
        void deleteUnlessCurrent(place).catch(onFailure)
      } catch (failure) {
        onFailure(failure)
      }
      return true
    },
  }
}

/**
 * Deletes every answer of a project that is kept, given up or not. Whoever shares the cache loses them; other processes that
 * have one of their own keep what they have until its time is over.
 * @returns whether they are gone; false while the cache is away.
 */
export type DeleteAnswers = (projectId: ProjectId) => Promise<boolean>

export const createAnswerDeletion =
  (cache: KeyValueCache, onFailure: (failure: unknown) => void): DeleteAnswers =>
  async (projectId) => {
    try {
      await cache.deleteAll(toCacheKeyPrefix(projectId))
      return true
    } catch (failure) {
      onFailure(failure)
      return false
    }
  }
