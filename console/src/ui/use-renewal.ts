import { useEffect } from "react"

/** Asks again every so often while somebody looks at the page. */
export function useRenewal(ask: (options: { readonly requestPolicy: "network-only" }) => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || ask({ requestPolicy: "network-only" }), everyMs)
    return () => clearInterval(timer)
  }, [ask, everyMs])
}
