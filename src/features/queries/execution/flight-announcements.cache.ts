import type { KeyValueCache } from "../../../platform/cache/key-value-cache.js"
import type { SingleFlight } from "./single-flight.types.js"

/** Nearly all queries end sooner, before anybody asks for their progress. */
const ANNOUNCED_AFTER_MS = 300

const toCacheKey = (key: string): string => `flight ${key}`

/** Announcements in the key-value cache that processes share. Losing one only hides the progress of a query. */
export const createFlightAnnouncements = (
  cache: KeyValueCache,
  onFailure: (failure: unknown) => void,
): Pick<SingleFlight, "announce" | "findEngineQueryId"> => ({
  announce(key, engineQueryId, forSeconds) {
    let written: Promise<void> | null = null
    const timer = setTimeout(() => {
      written = cache.set(toCacheKey(key), engineQueryId, forSeconds).catch(onFailure)
    }, ANNOUNCED_AFTER_MS)
    return () => {
      clearTimeout(timer)
      void written?.then(() => cache.delete(toCacheKey(key))).catch(onFailure)
    }
  },
  async findEngineQueryId(key) {
    try {
      return await cache.get(toCacheKey(key))
    } catch (failure) {
      onFailure(failure)
      return null
    }
  },
})
