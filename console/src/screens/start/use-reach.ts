import { useEffect, useState } from "react"

/** Clocks that differ by less do no harm. */
const USUAL_SKEW_MS = 60_000

/** How events of this browser reach the server. */
export interface Reach {
  /** Whether something in the browser, or before the server, lets none through. */
  readonly isBlocked: boolean
  /** Milliseconds by which this clock is ahead of the server's; 0 when they agree. */
  readonly aheadMs: number
}

/**
 * Tries the path that SDKs send events to, with a request that is no event: the server refuses it, and that it does is the
 * proof. Null while that is not known.
 */
export function useReach(): Reach | null {
  const [reach, setReach] = useState<Reach | null>(null)
  useEffect(() => {
    const attempt = new AbortController()
    fetch("/i/v0/e/", { method: "POST", body: "{}", cache: "no-store", signal: attempt.signal })
      .then(({ headers }) => {
        const aheadMs = Date.now() - Date.parse(headers.get("date") ?? "")
        setReach({ isBlocked: false, aheadMs: Math.abs(aheadMs) > USUAL_SKEW_MS ? aheadMs : 0 })
      })
      .catch(() => attempt.signal.aborted || setReach({ isBlocked: true, aheadMs: 0 }))
    return () => attempt.abort()
  }, [])
  return reach
}
