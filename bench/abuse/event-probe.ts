import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { Tenant } from "./attack.types.js"

/** How long acknowledged events took to show in a query. */
export interface Visibility {
  readonly worstMs: number
  /** Acknowledged, and not to be seen when the wait was given up. */
  readonly unseen: number
}

const SEND_EVERY_MS = 2_000
const ASK_EVERY_MS = 500
const ANSWER_WITHIN_MS = 15_000
const GIVE_UP_AFTER_MS = 40_000

/** Sends an event of the neighbour now and then, and asks until each can be queried. */
export class EventProbe {
  private readonly acknowledgedAt = new Map<string, number>()
  private worstMs = 0

  constructor(
    private readonly url: string,
    private readonly tenant: Tenant,
  ) {}

  /** Sends until the signal aborts, and asks until all have been seen, at most for a while or until `lost` resolves. */
  async measure(signal: AbortSignal, lost: Promise<unknown>): Promise<Visibility> {
    let [isSending, isLost] = [true, false]
    void lost.then(() => {
      isLost = true
    })
    const sending = this.keepSending(signal).finally(() => {
      isSending = false
    })
    let givenUpAt = Number.POSITIVE_INFINITY
    while (!isLost && performance.now() < givenUpAt && (isSending || this.acknowledgedAt.size > 0)) {
      await this.look()
      if (!isSending) givenUpAt = Math.min(givenUpAt, performance.now() + GIVE_UP_AFTER_MS)
      await pause(ASK_EVERY_MS)
    }
    await sending
    const waits = [...this.acknowledgedAt.values()].map((at) => performance.now() - at)
    return { worstMs: Math.max(this.worstMs, ...waits), unseen: waits.length }
  }

  private async keepSending(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const uuid = randomUUID()
      const event = { api_key: this.tenant.projectKey, event: "probe", distinct_id: "probe", uuid }
      if ((await this.post("/i/v0/e/", event)) !== null) this.acknowledgedAt.set(uuid, performance.now())
      await pause(SEND_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  private async look(): Promise<void> {
    const wanted = [...this.acknowledgedAt.keys()].map((uuid) => `'${uuid}'`)
    if (wanted.length === 0) return
    const query = `SELECT toString(uuid) FROM events WHERE event = 'probe' AND uuid IN (${wanted}) LIMIT 10000`
    const path = `/api/environments/${this.tenant.projectId}/query/`
    const text = await this.post(path, { query: { kind: "HogQLQuery", query }, refresh: "force_blocking" })
    if (text === null) return
    for (const [uuid] of (JSON.parse(text) as { results: [string][] }).results) {
      this.worstMs = Math.max(this.worstMs, performance.now() - (this.acknowledgedAt.get(uuid) ?? 0))
      this.acknowledgedAt.delete(uuid)
    }
  }

  /** Null for anything but a 200. */
  private async post(path: string, body: object): Promise<string | null> {
    try {
      const response = await fetch(this.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${this.tenant.personalKey}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      const text = await response.text()
      return response.status === 200 ? text : null
    } catch {
      return null
    }
  }
}
