import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, test } from "@jest/globals"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PROJECT_KEY, processesWith, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const KILLS_OF_EACH = 4
const CLIENTS = 6
const BATCH_SIZE = 20
/** Acknowledged requests between two kills: work is under way whenever something dies. */
const ACKNOWLEDGED_BETWEEN_KILLS = 40

const directory = temporaryDirectory()
let server = new WaymarkProcess(directory.path)
afterAll(async () => {
  await server.stop()
  directory.remove()
})

/** What every client sent and what became of it: acknowledged, or of unknown outcome. */
class Ledger {
  readonly acknowledged = new Set<string>()
  readonly unknown = new Set<string>()
  acknowledgedRequests = 0
}

/** Sends singles and batches in turn until told to stop; a failed request stays in the ledger as unknown. */
async function runClient(ledger: Ledger, urlOf: () => string, isStopped: () => boolean, client: number): Promise<void> {
  for (let request = 0; !isStopped(); request++) {
    const uuids = Array.from({ length: request % 2 === 0 ? 1 : BATCH_SIZE }, () => randomUUID())
    const items = uuids.map((uuid) => ({
      uuid,
      event: "survived",
      distinct_id: `client-${client}`,
      properties: { request },
    }))
    const body = items.length === 1 ? { api_key: PROJECT_KEY, ...items[0] } : { api_key: PROJECT_KEY, batch: items }
    const isAcknowledged = await fetch(`${urlOf()}${items.length === 1 ? "/i/v0/e/" : "/batch/"}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then(
      async (response) => (await response.text()) !== "" && response.status === 200,
      () => false,
    )
    for (const uuid of uuids) (isAcknowledged ? ledger.acknowledged : ledger.unknown).add(uuid)
    if (isAcknowledged) ledger.acknowledgedRequests++
    else await new Promise(setImmediate)
  }
}

async function killServer(): Promise<void> {
  await server.kill()
  server = new WaymarkProcess(directory.path)
  await server.ready()
}

/** Kills the oldest process of ours whose command line contains `text`. */
function killChild(text: string): void {
  const [pid] = server.descendants(text).sort((a, b) => a - b)
  if (pid === undefined) throw new Error(`no child runs with ${text}`)
  process.kill(pid, "SIGKILL")
}

describe("kill -9 while events are captured", () => {
  test(`of the server, of PostgreSQL and of the ClickHouse child, ${KILLS_OF_EACH} times each, loses and doubles nothing that was acknowledged`, async () => {
    let url = await server.ready()
    const ledger = new Ledger()
    let stopped = false
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      runClient(
        ledger,
        () => url,
        () => stopped,
        client,
      ),
    )

    for (let round = 0; round < KILLS_OF_EACH; round++) {
      for (const kill of [
        killServer,
        async () => killChild("bin/postgres"),
        async () => killChild("clickhouse-child"),
      ]) {
        const before = ledger.acknowledgedRequests
        await waitFor(
          "requests to be acknowledged",
          () => ledger.acknowledgedRequests >= before + ACKNOWLEDGED_BETWEEN_KILLS,
          60_000,
        )
        await kill()
        url = await server.ready()
      }
    }
    const before = ledger.acknowledgedRequests
    await waitFor(
      "requests to be acknowledged after the last kill",
      () => ledger.acknowledgedRequests > before + 5,
      60_000,
    )
    stopped = true
    await Promise.all(clients)

    const api = new WaymarkApi(url)
    await waitFor("the server to be ready", async () => (await api.get("/_readyz")).status === 200)
    await api.drained()
    const rows = await api.hogql<[string, number]>(
      "SELECT toString(uuid), count() FROM events GROUP BY uuid LIMIT 50000",
    )
    const stored = new Map(rows)
    const lost = [...ledger.acknowledged].filter((uuid) => !stored.has(uuid))
    const duplicated = rows.filter(([, copies]) => Number(copies) > 1)
    const phantoms = rows.filter(([uuid]) => !ledger.acknowledged.has(uuid) && !ledger.unknown.has(uuid))
    expect({ lost, duplicated, phantoms }).toEqual({ lost: [], duplicated: [], phantoms: [] })
    expect(ledger.acknowledged.size).toBeGreaterThan(3 * KILLS_OF_EACH * ACKNOWLEDGED_BETWEEN_KILLS)
  }, 240_000)

  test("leaves no process of the data directory behind once the server is stopped", async () => {
    await server.stop()
    expect(processesWith(directory.path)).toEqual([])
  })
})
