import { getDomain } from "tldts"

/**
 * What a site and its subdomains share: the registrable domain, by the part of the public suffix list that registries keep (decision
 * 0038). Sites of one hoster, such as `one.github.io` and `other.github.io`, count as one. Addresses, single words and whatever
 * else has no registrable domain stand for themselves; case, port and a final dot do not count.
 */
export const toRootDomain = (host: string): string =>
  getDomain(host) ?? host.trim().toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")
