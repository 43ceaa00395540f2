/** Gives a key back: the result is kept, or there is none. Never rejects. */
export type ReleaseKey = () => Promise<void>

/**
 * Lets the processes that share a result cache execute equal queries once. A store that is away only costs that one is
 * executed twice.
 */
export interface SingleFlight {
  /** Claims a key for this process; null while another one holds it. Never rejects. */
  claim(key: string): Promise<ReleaseKey | null>
  /**
   * Resolves once no process holds the key: also when its holder has died, or when that cannot be waited for. Rejects with
   * the signal's reason.
   */
  waitForRelease(key: string, signal: AbortSignal): Promise<void>
  /** Announces under which id the engine works for a claimed key. The result takes the announcement back. */
  announce(key: string, engineQueryId: string, forSeconds: number): () => void
  /** Under which id the engine works for a key in whatever process; null when nobody has announced it. */
  findEngineQueryId(key: string): Promise<string | null>
}

/** For a process that shares its result cache with no other. */
export const WITHIN_ONE_PROCESS: SingleFlight = {
  claim: async () => async () => undefined,
  waitForRelease: async () => undefined,
  announce: () => () => undefined,
  findEngineQueryId: async () => null,
}
