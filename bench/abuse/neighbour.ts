import { randomUUID } from "node:crypto"
import { type ArrivalRequest, Arrivals, type Sample } from "./arrivals.js"
import type { Tenant } from "./attack.types.js"

/** What the neighbour asks for, each at a steady rate of its own. */
export const KINDS = ["capture", "decide", "query", "livez"] as const
export type Kind = (typeof KINDS)[number]

/** Requests in a second: few enough that they cost next to nothing. */
const PER_SECOND: Readonly<Record<Kind, number>> = { capture: 40, decide: 40, query: 5, livez: 20 }
const EVENTS = 2_000
const PERSONS = 200
const FLAGS = 10

/** The tenant that does nothing wrong. */
export class Neighbour {
  private asked = 0
  private readonly arrivals: Readonly<Record<Kind, Arrivals>>

  constructor(
    private readonly url: string,
    readonly tenant: Tenant,
  ) {
    this.arrivals = {
      capture: new Arrivals(url, true),
      decide: new Arrivals(url, true),
      query: new Arrivals(url, true),
      livez: new Arrivals(url, false),
    }
  }

  /** Stores events, persons and flags, enough for each kind of request to have something to do. */
  async prepare(): Promise<void> {
    const events = Array.from({ length: EVENTS }, (_, index) => this.event(`person-${index % PERSONS}`))
    await this.post("/batch/", { api_key: this.tenant.projectKey, batch: events })
    for (let index = 0; index < FLAGS; index++) {
      const isTeam = { key: "plan", type: "person", operator: "exact", value: ["team"] }
      const filters = { groups: [{ properties: index % 2 === 0 ? [isTeam] : [], rollout_percentage: 50 }] }
      await this.post(`/api/projects/${this.tenant.projectId}/feature_flags/`, { key: `flag-${index}`, filters })
    }
  }

  /** Opens its connections and lets the compiler see each kind of request. */
  async warmUp(seconds: number): Promise<void> {
    await Promise.all(KINDS.map((kind) => this.arrivals[kind].openAll(() => this.requestOf(kind))))
    await this.measure(seconds)
  }

  /** Asks for everything for so many seconds, and then waits for the answers that are still to come. */
  async measure(seconds: number): Promise<ReadonlyMap<Kind, readonly Sample[]>> {
    const results = await Promise.all(
      KINDS.map((kind) =>
        this.arrivals[kind].run({ perSecond: PER_SECOND[kind], seconds, next: () => this.requestOf(kind) }),
      ),
    )
    return new Map(KINDS.map((kind, index) => [kind, results[index] ?? []]))
  }

  close(): void {
    for (const kind of KINDS) this.arrivals[kind].close()
  }

  private requestOf(kind: Kind): ArrivalRequest {
    const { projectKey, projectId, personalKey } = this.tenant
    const index = this.asked++
    switch (kind) {
      case "capture":
        return toPost("/i/v0/e/", { api_key: projectKey, ...this.event(`person-${index % PERSONS}`) })
      case "decide":
        return toPost("/decide?v=3", {
          api_key: projectKey,
          distinct_id: `person-${index % PERSONS}`,
          person_properties: { plan: "team" },
        })
      case "query": {
        // No two are equal, so that each is really calculated.
        const query = `SELECT event, count(), ${index} FROM events WHERE timestamp > now() - INTERVAL 7 DAY GROUP BY event`
        const path = `/api/environments/${projectId}/query/`
        return toPost(path, { query: { kind: "HogQLQuery", query }, refresh: "force_blocking" }, personalKey)
      }
      case "livez":
        return { method: "GET", path: "/_livez" }
    }
  }

  private event(distinctId: string): object {
    return {
      event: "report viewed",
      uuid: randomUUID(),
      distinct_id: distinctId,
      properties: { $set: { plan: "team" }, $current_url: "https://example.com/reports", seconds: 12 },
    }
  }

  private async post(path: string, body: object): Promise<void> {
    const response = await fetch(this.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.tenant.personalKey}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`the neighbour's data was refused: ${response.status} ${await response.text()}`)
  }
}

const toPost = (path: string, body: object, key?: string): ArrivalRequest => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
})
