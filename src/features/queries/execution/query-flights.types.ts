/** Called once, when the result is kept or there is none: others may calculate the same again. Never rejects. */
export type EndFlight = () => Promise<void>

/** Which calculations are under way in the processes that share a result cache. An outage only costs that one is done twice. */
export interface QueryFlights {
  /** Null when another process is calculating what has this key. Never rejects. */
  begin(key: string): Promise<EndFlight | null>
  /**
   * Resolves once no process is calculating what has this key, also when the one that was has died, or when that cannot be
   * waited for. Rejects with the signal's reason.
   */
  ended(key: string, signal: AbortSignal): Promise<void>
}

/** Of a process that shares its result cache with no other. */
export const FLIES_ALONE: QueryFlights = { begin: async () => async () => undefined, ended: async () => undefined }
