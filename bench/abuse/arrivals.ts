import { Agent, request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"

/** A request of an open-loop load. */
export interface ArrivalRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: string
  readonly authorization?: string
}

/** The outcome of a request that was not answered within the time limit. */
export const NO_ANSWER = "no answer"

/** What became of one request. */
export interface Sample {
  /** From the moment when it was due to the end of its answer. */
  readonly ms: number
  /** A status, NO_ANSWER, or the code of a connection's error. */
  readonly outcome: number | string
}

export interface ArrivalPlan {
  readonly perSecond: number
  readonly seconds: number
  readonly next: () => ArrivalRequest
}

const ADDRESS = "127.0.0.3"
const ANSWER_WITHIN_MS = 10_000
const MAX_CONNECTIONS = 16

/**
 * Sends requests when they are due, whether or not earlier ones have been answered, over connections of its own. Times are
 * counted from when a request was due: a server that stands still for a second delays all that come due in that second,
 * where a load that waits for its answers would see one slow request.
 */
export class Arrivals {
  private readonly agent: Agent
  private readonly hostname: string
  private readonly port: number

  /** @param keepsConnections as SDKs on servers do; else each request has a new one, as browsers and health checks do. */
  constructor(url: string, keepsConnections: boolean) {
    const { hostname, port } = new URL(url)
    this.hostname = hostname
    this.port = Number(port)
    this.agent = new Agent({ keepAlive: keepsConnections, maxSockets: MAX_CONNECTIONS })
  }

  /** Opens every connection, so that later only the server's work is waited for, and not its turn to accept. */
  async openAll(next: () => ArrivalRequest): Promise<void> {
    await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => this.ask(next(), performance.now())))
  }

  close(): void {
    this.agent.destroy()
  }

  /** What became of every request, in the order in which they were due. */
  async run({ perSecond, seconds, next }: ArrivalPlan): Promise<readonly Sample[]> {
    const startedAt = performance.now()
    const asked: Promise<Sample>[] = []
    for (let index = 0; index < perSecond * seconds; index++) {
      const dueAt = startedAt + (index * 1000) / perSecond
      const early = dueAt - performance.now()
      if (early > 0) await pause(early)
      asked.push(this.ask(next(), dueAt))
    }
    return Promise.all(asked)
  }

  private ask({ method, path, body, authorization }: ArrivalRequest, dueAt: number): Promise<Sample> {
    return new Promise((resolve) => {
      const { hostname, port, agent } = this
      const conclude = (outcome: number | string): void => {
        clearTimeout(limit)
        resolve({ ms: performance.now() - dueAt, outcome })
      }
      const headers = {
        ...(body !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
        ...(authorization !== undefined && { Authorization: authorization }),
      }
      const sent = request({ hostname, port, method, path, headers, agent, localAddress: ADDRESS })
      const limit = setTimeout(() => sent.destroy(new Error(NO_ANSWER)), ANSWER_WITHIN_MS)
      sent.on("error", (failure: NodeJS.ErrnoException) => conclude(failure.code ?? failure.message))
      sent.on("response", (response) => {
        response.on("error", (failure: NodeJS.ErrnoException) => conclude(failure.code ?? failure.message))
        response.on("end", () => conclude(response.statusCode ?? 0))
        response.resume()
      })
      sent.end(body)
    })
  }
}
