import { AppError } from "../../../kernel/errors.js"

/** A calculation as one of its callers sees it. */
export interface JoinedWork<T> {
  /** Under which id the engine runs it, whoever asked first. */
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
  /** Whether work that began before this call will do. */
  readonly mayJoin: boolean
  readonly start: (engineQueryId: string, signal: AbortSignal) => Promise<T>
}

interface Flight<T> {
  readonly engineQueryId: string
  readonly controller: AbortController
  readonly result: Promise<T>
  waiting: number
  hasEnded: boolean
}

/** Equal work that is asked for while it is done is done once; it is stopped when the last of its callers has left. */
export class SharedWork<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /** Number of different pieces of work that are under way. */
  get size(): number {
    return this.#flights.size
  }

  join(request: WorkRequest<T>): JoinedWork<T> {
    const known = request.mayJoin ? this.#flights.get(request.key) : undefined
    const flight = known ?? this.#launch(request)
    flight.waiting++
    return { engineQueryId: flight.engineQueryId, result: this.#wait(request, flight) }
  }

  #launch({ key, engineQueryId, start }: WorkRequest<T>): Flight<T> {
    const controller = new AbortController()
    const result = start(engineQueryId, controller.signal).finally(() => {
      flight.hasEnded = true
      this.#remove(key, flight)
    })
    const flight: Flight<T> = { engineQueryId, controller, result, waiting: 0, hasEnded: false }
    this.#flights.set(key, flight)
    return flight
  }

  async #wait({ key, signal }: WorkRequest<T>, flight: Flight<T>): Promise<T> {
    const left = Promise.withResolvers<never>()
    const leave = (): void => left.reject(signal.reason)
    signal.addEventListener("abort", leave, { once: true })
    try {
      if (signal.aborted) leave()
      return await Promise.race([flight.result, left.promise])
    } finally {
      signal.removeEventListener("abort", leave)
      // Nearly all work has ended by itself: there is nothing left to stop, and no fault to be made for it.
      if (--flight.waiting === 0 && !flight.hasEnded) {
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
