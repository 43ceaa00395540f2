import { describe, expect, test } from "@jest/globals"
import { PostHog } from "posthog-node"
import { PostHog as PostHog4 } from "posthog-node-4"
import { ownServer } from "../support/own-server.js"
import { whilePaused } from "../support/paused-processes.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const { server, api } = ownServer()
/** The calls that both generations share. */
interface Sdk {
  capture(message: Record<string, unknown>): void
  shutdown(timeoutMs?: number): Promise<void>
}

/** What the SDK was answered, and whether its bodies were packed. */
class Wire {
  readonly statuses: number[] = []
  readonly encodings = new Set<string | null>()

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    this.statuses.push(response.status)
    this.encodings.add(new Headers(init.headers).get("content-encoding"))
    return response
  }
}

type Options = Record<string, unknown>
const five =
  (more: Options) =>
  (wire: Wire, options: Options): Sdk =>
    new PostHog(PROJECT_KEY, { host: api.url, fetch: wire.fetch, ...more, ...options } as object) as unknown as Sdk
const four = (wire: Wire, options: Options): Sdk =>
  new PostHog4(PROJECT_KEY, { host: api.url, fetch: wire.fetch, ...options } as object) as unknown as Sdk

const CLIENTS = [
  { name: "5.70 with gzip", id: "gzip", createSdk: five({}), encoding: "gzip" },
  { name: "5.70 without gzip", id: "plain", createSdk: five({ disableCompression: true }), encoding: null },
  { name: "4.2", id: "four", createSdk: four, encoding: null },
]

/** The numbers of the events of that name, in the order of their times, as often as they are stored. */
async function storedNumbers(event: string): Promise<number[]> {
  await api.drained()
  const rows = await api.hogql(
    `SELECT properties.number FROM events WHERE event = '${event}' ORDER BY timestamp LIMIT 1000`,
  )
  return rows.map(([number]) => Number(number))
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)

describe.each(CLIENTS)("posthog-node $name", ({ id, createSdk, encoding }) => {
  test("has each of 250 events stored exactly once", async () => {
    const wire = new Wire()
    const sdk = createSdk(wire, { flushAt: 40 })
    for (const number of upTo(250))
      sdk.capture({ distinctId: `${id}-ada`, event: `${id} many`, properties: { number } })
    await sdk.shutdown(20_000)
    expect([...wire.encodings]).toEqual([encoding])
    expect(sorted(await storedNumbers(`${id} many`))).toEqual(upTo(250))
  })

  test("is told 503 while PostgreSQL does not answer, tries again, and has everything stored exactly once", async () => {
    const wire = new Wire()
    const sdk = createSdk(wire, { fetchRetryCount: 5, fetchRetryDelay: 300, requestTimeout: 20_000 })
    await whilePaused(server.descendants("postgres"), async () => {
      for (const number of upTo(12))
        sdk.capture({ distinctId: `${id}-bo`, event: `${id} kept`, properties: { number } })
      const shutDown = sdk.shutdown(30_000)
      await waitFor("an answer of 503", () => wire.statuses.includes(503))
      return { shutDown }
    }).then(({ shutDown }) => shutDown)
    expect(wire.statuses.at(-1)).toBe(200)
    expect(sorted(await storedNumbers(`${id} kept`))).toEqual(upTo(12))
  })

  test("migrates old events: their times are kept, so is their order, and each is marked", async () => {
    const wire = new Wire()
    const sdk = createSdk(wire, { historicalMigration: true })
    const firstDay = Date.UTC(2021, 2, 1)
    for (const number of upTo(30)) {
      const timestamp = new Date(firstDay + number * 86_400_000)
      sdk.capture({ distinctId: `${id}-cy`, event: `${id} old`, properties: { number }, timestamp })
    }
    await sdk.shutdown(20_000)
    expect(await storedNumbers(`${id} old`)).toEqual(upTo(30))
    const days = await api.hogql(
      `SELECT min(timestamp), max(timestamp), countIf(historical_migration) FROM events WHERE event = '${id} old'`,
    )
    expect(JSON.stringify(days)).toMatch(/2021-03-01.*2021-03-30.*,30\]/)
  })
})

describe("posthog-node 5.70", () => {
  test("sends a batch that is answered 413 in halves, and has everything stored exactly once", async () => {
    const wire = new Wire()
    const sdk = five({ disableCompression: true })(wire, { flushAt: 100, requestTimeout: 30_000 })
    const filler = "x".repeat(500_000)
    for (const number of upTo(60)) sdk.capture({ distinctId: "dan", event: "large", properties: { number, filler } })
    await sdk.shutdown(60_000)
    expect(wire.statuses).toContain(413)
    expect(wire.statuses.at(-1)).toBe(200)
    expect(sorted(await storedNumbers("large"))).toEqual(upTo(60))
  }, 120_000)
})
