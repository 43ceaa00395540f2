import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How many connections there may be at a time. */
export interface ConnectionLimits {
  readonly total: number
  /** On top of the total, for the requests that are answered also when all other places are taken. */
  readonly reserved: number
  /** From one address. */
  readonly perAddress: number
}

/** What became of a new connection: one in a reserved place may only make requests that have places reserved. */
export type Admission = "open" | "reserved" | "too many of the address" | "too many"

/** Connections that are closed in one go when all places are taken: a hundredth of them. */
const ROOM_SHARE = 100

/**
 * The connections of the server by address. A place that nobody uses is given to who comes: where there is no place left, the
 * connections that wait for a request, or for the rest of one, are closed, first those of the address with the most connections
 * (`docs/contract/faults.md#connections`).
 */
export class OpenConnections implements Iterable<Socket> {
  readonly #limits: ConnectionLimits
  /** Those that were quiet for the longest time come first. */
  readonly #ofAddresses = new Map<string, Set<Socket>>()
  readonly #reserved = new WeakSet<Socket>()
  readonly #upgraded = new WeakSet<object>()
  #size = 0
  /** No use in looking again until something ends. */
  #isFullOfWork = false

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  *[Symbol.iterator](): Iterator<Socket> {
    for (const ofAddress of this.#ofAddresses.values()) yield* ofAddress
  }

  /** Takes a place for a new connection until it is closed. */
  admit(socket: Socket): Admission {
    const { total, reserved, perAddress } = this.#limits
    const address = socket.remoteAddress ?? ""
    const ofAddress = this.#ofAddresses.get(address) ?? new Set()
    if (ofAddress.size >= perAddress && this.#closeWaiting(ofAddress, 1) === 0) return "too many of the address"
    if (this.#size >= total) this.#makeRoom()
    if (this.#size >= total + reserved) return "too many"
    this.#ofAddresses.set(address, ofAddress.add(socket))
    this.#size++
    socket.once("close", () => this.#forget(address, socket))
    if (this.#size <= total) return "open"
    this.#reserved.add(socket)
    return "reserved"
  }

  /** Notes that a connection makes a request; answers whether its place is reserved for requests of some kinds. */
  beginRequest(socket: Socket): "open" | "reserved" {
    const ofAddress = this.#ofAddresses.get(socket.remoteAddress ?? "")
    if (ofAddress?.delete(socket) === true) ofAddress.add(socket)
    return this.#reserved.has(socket) ? "reserved" : "open"
  }

  /** Notes that a connection is no longer one of requests: it does not wait for any. */
  upgrade(socket: object): void {
    this.#upgraded.add(socket)
  }

  #makeRoom(): void {
    if (this.#isFullOfWork) return
    let wanted = Math.ceil(this.#limits.total / ROOM_SHARE)
    const largestFirst = [...this.#ofAddresses.values()].sort((a, b) => b.size - a.size)
    for (const ofAddress of largestFirst) wanted -= this.#closeWaiting(ofAddress, wanted)
    this.#isFullOfWork = this.#size >= this.#limits.total
  }

  /** Closes connections that wait; returns how many. */
  #closeWaiting(sockets: ReadonlySet<Socket>, atMost: number): number {
    let closed = 0
    for (const socket of sockets) {
      if (closed >= atMost) break
      if (this.#upgraded.has(socket) || !isWaiting(socket)) continue
      this.#forget(socket.remoteAddress ?? "", socket)
      socket.destroy()
      closed++
    }
    return closed
  }

  #forget(address: string, socket: Socket): void {
    const ofAddress = this.#ofAddresses.get(address)
    if (ofAddress?.delete(socket) !== true) return
    if (ofAddress.size === 0) this.#ofAddresses.delete(address)
    this.#size--
    this.#isFullOfWork = false
  }
}

/**
 * The answer that a connection waits for; none while it is idle. Node notes it there in a field that it does not document. To
 * note it here would keep the last request of every idle connection in memory, its body included.
 */
export const responseUnderWay = (socket: Socket): ServerResponse | null =>
  (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null

/** Whether the server has nothing to do for a connection: no request has arrived as a whole that is not answered. */
function isWaiting(socket: Socket): boolean {
  const response = responseUnderWay(socket)
  return response === null || !response.req.complete
}
