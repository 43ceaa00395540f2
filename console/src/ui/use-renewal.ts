import { useEffect } from "react"

const EVERY_MS = 30_000

/** Asks again every so often, half a minute when nothing is said, while somebody looks at the page. */
export function useRenewal(
  ask: (options: { readonly requestPolicy: "network-only" }) => void,
  everyMs = EVERY_MS,
): void {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || ask({ requestPolicy: "network-only" }), everyMs)
    return () => clearInterval(timer)
  }, [ask, everyMs])
}
