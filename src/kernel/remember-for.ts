/**
 * What `work` answers, worked out once for all who ask meanwhile and kept for so long afterwards, so that many who ask cost as
 * much as one. A failure is not kept.
 */
export function rememberFor<T>(keptMs: number, work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null
  let endedAtMs = Number.POSITIVE_INFINITY
  return () => {
    if (current !== null && performance.now() < endedAtMs + keptMs) return current
    endedAtMs = Number.POSITIVE_INFINITY
    const begun = work().finally(() => {
      endedAtMs = performance.now()
    })
    begun.catch(() => {
      if (current === begun) current = null
    })
    current = begun
    return begun
  }
}
