import type { ExecutionResult } from "graphql"
import { useSyncExternalStore } from "react"

let last: ExecutionResult | null = null
const listeners = new Set<() => void>()

/** Makes a result the one that is drawn. */
export function showResult(result: ExecutionResult): void {
  last = result
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The result of the operation that ran last, null before the first; of a subscription its newest. */
export const useLastResult = (): ExecutionResult | null => useSyncExternalStore(listen, () => last)
