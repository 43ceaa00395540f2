import { AppError } from "../../../kernel/errors.js"
import { abortable } from "./abortable.js"

/** Work that has been started, as one of its callers sees it. */
export interface CoalescedWork<T> {
  /** The engine's id of the work: that of the first caller. */
  readonly engineQueryId: string
  /** Rejects with the signal's reason once the caller's own signal aborts. */
  readonly result: Promise<T>
}

/** Work that a caller asks for. */
export interface WorkRequest<T> {
  /** Equal work has an equal key. */
  readonly key: string
  readonly engineQueryId: string
  /** Aborts when this caller gives up. */
  readonly signal: AbortSignal
  /** Whether to join work that was started before this call. */
  readonly mayJoin: boolean
  /** The signal aborts once the last caller has left. */
  readonly start: (signal: AbortSignal) => Promise<T>
}

interface Flight<T> {
  readonly engineQueryId: string
  readonly controller: AbortController
  readonly result: Promise<T>
  callers: number
  hasEnded: boolean
}

/** Does equal work of several callers at the same time once, and stops it when the last of them has left. */
export class RequestCoalescer<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /** Number of different pieces of work in progress. */
  get size(): number {
    return this.#flights.size
  }

  join(request: WorkRequest<T>): CoalescedWork<T> {
    const known = request.mayJoin ? this.#flights.get(request.key) : undefined
    const flight = known ?? this.#start(request)
    flight.callers++
    return { engineQueryId: flight.engineQueryId, result: this.#await(request, flight) }
  }

  #start({ key, engineQueryId, start }: WorkRequest<T>): Flight<T> {
    const controller = new AbortController()
    const result = start(controller.signal).finally(() => {
      flight.hasEnded = true
      this.#remove(key, flight)
    })
    const flight: Flight<T> = { engineQueryId, controller, result, callers: 0, hasEnded: false }
    this.#flights.set(key, flight)
    return flight
  }

  async #await({ key, signal }: WorkRequest<T>, flight: Flight<T>): Promise<T> {
    try {
      return await abortable(flight.result, signal)
    } finally {
      // Usually the work has ended by itself, and there is nothing to stop.
      if (--flight.callers === 0 && !flight.hasEnded) {
        this.#remove(key, flight)
        flight.result.catch(() => undefined)
        flight.controller.abort(signal.reason ?? new AppError("query_cancelled"))
      }
    }
  }

  #remove(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}
