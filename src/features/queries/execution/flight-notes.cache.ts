import type { KeyValueCache } from "../../../platform/cache/key-value-cache.js"

/** Where processes find under which id the engine runs what another one calculates. A lost note only costs its progress. */
export interface FlightNotes {
  /** Leaves a note once the calculation has lasted a while. The result takes it back. */
  tell(key: string, engineQueryId: string, forSeconds: number): () => void
  /** Null when nobody has left a note. */
  find(key: string): Promise<string | null>
}

/** Nearly all queries are quicker than this, and nobody asks how far they are. */
const TOLD_AFTER_MS = 300

const noteOf = (key: string): string => `flight ${key}`

/** Notes in the key-value cache that processes share. */
export function createFlightNotes(cache: KeyValueCache, onFailure: (failure: unknown) => void): FlightNotes {
  return {
    tell(key, engineQueryId, forSeconds) {
      let told: Promise<void> | null = null
      const timer = setTimeout(() => {
        told = cache.set(noteOf(key), engineQueryId, forSeconds).catch(onFailure)
      }, TOLD_AFTER_MS)
      return () => {
        clearTimeout(timer)
        void told?.then(() => cache.delete(noteOf(key))).catch(onFailure)
      }
    },
    async find(key) {
      try {
        return await cache.get(noteOf(key))
      } catch (failure) {
        onFailure(failure)
        return null
      }
    },
  }
}

/** Of a process that shares its result cache with no other. */
export const NO_NOTES: FlightNotes = { tell: () => () => undefined, find: async () => null }
