import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The address a request is made for, used for GeoIP.
 *
 * A header literally named `HTTP_X_FORWARDED_FOR` is a documented parameter of the contract
 * (`docs/contract/flags.md#client-addresses`) and wins. `X-Forwarded-For` counts only behind `trustProxyHops` proxies
 * of the operator's own: each appends the address it saw, so the caller is that many entries from the right. What is no
 * IP address is passed over.
 */
export function readClientIp(request: Pick<IncomingMessage, "headers" | "socket">, trustProxyHops: number): string {
  const named = request.headers.http_x_forwarded_for
  if (typeof named === "string") {
    const address = toAddress(named.split(",", 1)[0] ?? "")
    if (address !== null) return address
  }
  return readSenderIp(request, trustProxyHops)
}

/** The address a request came from, whatever it says it is made for: what a limit counts must not be the sender's to choose. */
export function readSenderIp(request: Pick<IncomingMessage, "headers" | "socket">, trustProxyHops: number): string {
  const { headers, socket } = request
  const forwarded = headers["x-forwarded-for"]
  if (trustProxyHops > 0 && typeof forwarded === "string") {
    const chain = forwarded.split(",")
    const address = toAddress(chain[Math.max(0, chain.length - trustProxyHops)] ?? "")
    if (address !== null) return address
  }
  return readPeer(socket)
}

const peers = new WeakMap<IncomingMessage["socket"], string>()

/** The other end of a connection; looked at once, because thousands of requests may come by it. */
function readPeer(socket: IncomingMessage["socket"]): string {
  let peer = peers.get(socket)
  if (peer === undefined) {
    peer = toAddress(socket.remoteAddress ?? "") ?? ""
    peers.set(socket, peer)
  }
  return peer
}

/** The bare address in an entry that may carry brackets, a port or the IPv4-in-IPv6 form; null when it is none. */
function toAddress(entry: string): string | null {
  const trimmed = entry.trim()
  const unwrapped = WITH_PORT.exec(trimmed)
  const bare = isIP(trimmed) !== 0 ? trimmed : (unwrapped?.[1] ?? unwrapped?.[2] ?? trimmed)
  if (isIP(bare) === 0) return null
  return MAPPED_IPV4.exec(bare)?.[1] ?? bare
}
