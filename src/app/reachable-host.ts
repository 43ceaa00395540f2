/** A host for URLs: one that stands for all addresses is reached at none of its own, so it is the machine's own. */
export function toReachableHost(host: string): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host
  return reachable.includes(":") ? `[${reachable}]` : reachable
}
