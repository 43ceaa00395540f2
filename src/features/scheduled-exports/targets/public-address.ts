import { type LookupAddress, lookup } from "node:dns"
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net"
import { TargetFault } from "./target.types.js"

/** Networks that are no part of the public internet (registries of special addresses, RFC 6890 and its updates). */
const PRIVATE_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const
const PUBLIC_IPV6 = ["2000::", 3] as const
/** Within it: tunnels, which hold other addresses, and examples. */
const PRIVATE_IPV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const

const privateIpv4 = new BlockList()
for (const [network, prefix] of PRIVATE_IPV4) privateIpv4.addSubnet(network, prefix, "ipv4")
const publicIpv6 = new BlockList()
publicIpv6.addSubnet(...PUBLIC_IPV6, "ipv6")
const privateIpv6 = new BlockList()
for (const [network, prefix] of PRIVATE_IPV6) privateIpv6.addSubnet(network, prefix, "ipv6")

/** Whether an IP address is one of the public internet; IPv4 addresses within IPv6 are not. */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? publicIpv6.check(address, "ipv6") && !privateIpv6.check(address, "ipv6")
    : !privateIpv4.check(address, "ipv4")

/** @throws TargetFault for a host that is written as a private address; names are looked at when they are resolved. */
export function requirePublicHost(host: string): void {
  const address = host.replace(/^\[(.*)\]$/, "$1")
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new TargetFault(NOT_PUBLIC)
}

/**
 * Resolves names for connections, as `dns.lookup` does, but to public addresses alone: what is connected to is what was
 * looked at, however often a name changes.
 */
export const lookUpPublic: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (failure, found) => {
    if (failure !== null) return done(failure, "")
    if (!found.every(({ address }) => isPublicAddress(address))) return done(new TargetFault(NOT_PUBLIC), "")
    return options.all ? done(null, found) : answerFirst(found, done)
  })
}

function answerFirst([first]: LookupAddress[], done: Parameters<LookupFunction>[2]): void {
  if (first === undefined) done(new Error("a look-up that succeeds finds something"), "")
  else done(null, first.address, first.family)
}

const NOT_PUBLIC =
  "The address is of a private network. Whoever runs the server can allow that by EXPORT_TO_PRIVATE_ADDRESSES."
