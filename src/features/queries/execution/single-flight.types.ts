/** Releases a key, after the result was stored or there is none. Never rejects. */
export type ReleaseKey = () => Promise<void>

/**
 * Lets processes that share a result cache execute equal queries only once. When its store is unavailable, an equal query may be
 * executed twice, and nothing else.
 */
export interface SingleFlight {
  /** Claims a key for this process; null while another one holds it. Never rejects. */
  claim(key: string): Promise<ReleaseKey | null>
  /**
   * Resolves once no process holds the key, also because its holder died, or when waiting is impossible. Rejects with the
   * signal's reason.
   */
  waitForRelease(key: string, signal: AbortSignal): Promise<void>
  /** Announces the engine's id of the work for a claimed key. The returned function withdraws it. */
  announce(key: string, engineQueryId: string, forSeconds: number): () => void
  /** The engine's id of the work for a key, in any process; null when none is announced. */
  findEngineQueryId(key: string): Promise<string | null>
}

/** For a process that shares its result cache with no other. */
export const WITHIN_ONE_PROCESS: SingleFlight = {
  claim: async () => async () => undefined,
  waitForRelease: async () => undefined,
  announce: () => () => undefined,
  findEngineQueryId: async () => null,
}
