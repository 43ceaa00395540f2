import { afterAll, describe, expect, test } from "@jest/globals"
import { CaptureLoad, readSessions, readStored } from "../support/capture-load.js"
import { EventLedger } from "../support/event-ledger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { processesWith, WaymarkProcess } from "../support/waymark-process.js"

const KILLS_OF_EACH = 4
const CLIENTS = 6
const BATCH_SIZE = 20
/** Acknowledged requests between two kills: work is under way whenever something dies. */
const ACKNOWLEDGED_BETWEEN_KILLS = 40

const directory = copyOfTemplate("server")
let server = new WaymarkProcess(directory.path)
afterAll(async () => {
  await server.stop()
  directory.remove()
})

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
    const ledger = new EventLedger()
    const load = new CaptureLoad({ ledger, url: () => url, clients: CLIENTS, batchSize: BATCH_SIZE })

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
    await load.stop()

    const api = new WaymarkApi(url)
    await waitFor("the server to be ready", async () => (await api.get("/_readyz")).status === 200)
    await api.drained()
    const { lost, duplicated, phantom } = ledger.judge(await readStored(api))
    expect({ lost, duplicated, phantom }).toEqual({ lost: [], duplicated: [], phantom: [] })
    const { rolledUp, recounted } = await readSessions(api)
    expect(rolledUp.length).toBeGreaterThan(CLIENTS)
    expect(rolledUp).toEqual(recounted)
    expect(ledger.acknowledgedEvents).toBeGreaterThan(3 * KILLS_OF_EACH * ACKNOWLEDGED_BETWEEN_KILLS)
  }, 480_000)

  test("leaves no process of the data directory behind once the server is stopped", async () => {
    await server.stop()
    expect(processesWith(directory.path)).toEqual([])
  })
})
