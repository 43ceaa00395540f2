import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { EventLedger } from "./event-ledger.js"
import type { WaymarkApi } from "./waymark-api.js"
import { PROJECT_KEY } from "./waymark-process.js"

export interface CaptureLoadOptions {
  readonly ledger: EventLedger
  /** Asked anew for every request: a server that was started again has another port. */
  readonly url: () => string
  readonly clients: number
  readonly batchSize: number
  /** Requests of all clients together; as many as the server answers when absent. */
  readonly requestsPerSecond?: number
  /** Called for an answer whose head came and whose body did not. */
  readonly onCutOff?: () => void
}

/** Requests of a client that are one session. */
const REQUESTS_PER_SESSION = 10
const GIVE_UP_AFTER_MS = 15_000
const PAUSE_AFTER_FAILURE_MS = 20

/** Clients that send singles and batches in turn, everything into the ledger, until `stop`. */
export class CaptureLoad {
  private stopped = false
  private readonly clients: Promise<void>[]

  constructor(private readonly options: CaptureLoadOptions) {
    this.clients = Array.from({ length: options.clients }, (_, client) => this.run(client))
  }

  /** Resolves when every request has its outcome. */
  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.clients)
  }

  private async run(client: number): Promise<void> {
    const { batchSize, clients, requestsPerSecond } = this.options
    const startedAtMs = performance.now()
    for (let request = 0; !this.stopped; request++) {
      if (requestsPerSecond !== undefined) {
        const dueAtMs = startedAtMs + (request * clients * 1000) / requestsPerSecond
        await pause(Math.max(0, dueAtMs - performance.now()))
      }
      const uuids = Array.from({ length: request % 2 === 0 ? 1 : batchSize }, () => randomUUID())
      if (await this.send(client, request, uuids)) continue
      // As SDKs do: the same events once more. The first request may have been stored all the same.
      await pause(PAUSE_AFTER_FAILURE_MS)
      if (!this.stopped && request % 4 < 2) await this.send(client, request, uuids)
    }
  }

  private async send(client: number, request: number, uuids: readonly string[]): Promise<boolean> {
    const batch = uuids.map((uuid) => ({
      uuid,
      event: "survived",
      // A person of the client, and now and then a new one: persons are made and changed all the time.
      distinct_id: request % 5 === 0 ? `visitor-${uuid}` : `client-${client}`,
      properties: {
        request,
        $session_id: toSessionId(client, Math.floor(request / REQUESTS_PER_SESSION)),
        $current_url: `https://load.example/${uuid}`,
        $set: { last_request: request },
      },
    }))
    const isAcknowledged = await fetch(`${this.options.url()}/batch/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ api_key: PROJECT_KEY, batch }),
      signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
    }).then(
      (response) => this.isWholeAndOk(response),
      () => false,
    )
    this.options.ledger.record(uuids, isAcknowledged)
    return isAcknowledged
  }

  private async isWholeAndOk(response: Response): Promise<boolean> {
    try {
      return (await response.text()) !== "" && response.status === 200
    } catch {
      this.options.onCutOff?.()
      return false
    }
  }
}

const toSessionId = (client: number, session: number): string =>
  `0199a000-0000-7000-8${String(client).padStart(3, "0")}-${String(session).padStart(12, "0")}`

/** What is known of each session, as it was rolled up and as its events give it. */
export async function readSessions(api: WaymarkApi) {
  const limit = `ORDER BY 1 LIMIT ${MAX_ROWS}`
  const [rolledUp, recounted] = await Promise.all([
    api.hogql(`SELECT session_id, $start_timestamp, $end_timestamp, $num_uniq_urls FROM sessions ${limit}`),
    api.hogql(
      `SELECT $session_id, min(timestamp), max(timestamp), count(DISTINCT properties.$current_url) FROM events
        WHERE $session_id IS NOT NULL GROUP BY 1 ${limit}`,
    ),
  ])
  return { rolledUp, recounted }
}

/** Rows that one answer may have. */
const MAX_ROWS = 50_000
const HEX_DIGITS = "0123456789abcdef"

/** Rows of each stored uuid that begins with `prefix`, as HogQL shows them; what is too much for one answer is read in pieces. */
export async function readStored(api: WaymarkApi, prefix = ""): Promise<Map<string, number>> {
  const rows = await api.hogql<[string, number]>(
    `SELECT toString(uuid) AS id, count() FROM events WHERE startsWith(id, '${prefix}') GROUP BY id LIMIT ${MAX_ROWS}`,
  )
  if (rows.length < MAX_ROWS) return new Map(rows.map(([uuid, count]) => [uuid, Number(count)]))
  const pieces: [string, number][] = []
  for (const digit of HEX_DIGITS) for (const piece of await readStored(api, prefix + digit)) pieces.push(piece)
  return new Map(pieces)
}
