import { afterAll, describe, expect, test } from "@jest/globals"
import { CRASH_POINTS } from "../../src/kernel/crash-points.js"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { EventLedger } from "../support/event-ledger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const directory = copyOfTemplate("server")
let server: WaymarkProcess | null = null
afterAll(async () => {
  await server?.stop()
  directory.remove()
})

describe("a server that dies", () => {
  test(`at each of ${CRASH_POINTS.length} points between append and commit, one life after the other, loses and doubles nothing`, async () => {
    const ledger = new EventLedger()
    let url = "http://127.0.0.1:9"
    const load = new CaptureLoad({ ledger, url: () => url, clients: 3, batchSize: 10 })
    for (const point of CRASH_POINTS) {
      server = new WaymarkProcess(directory.path, { WAYMARK_CRASH_AT: point })
      // It may die before this line is read: a batch of the life before can bring it to its point at once.
      url = await server.ready().catch(() => url)
      const { signal } = await server.ended
      expect({ point, signal }).toEqual({ point, signal: "SIGKILL" })
    }
    server = new WaymarkProcess(directory.path)
    url = await server.ready()
    const before = ledger.acknowledgedRequests
    await waitFor("requests to be acknowledged", () => ledger.acknowledgedRequests > before + 5)
    await load.stop()

    const api = new WaymarkApi(url)
    await api.drained()
    const { lost, duplicated, phantom, stable } = ledger.judge(await readStored(api))
    expect({ lost, duplicated, phantom }).toEqual({ lost: [], duplicated: [], phantom: [] })
    expect(stable).toBe(ledger.acknowledgedEvents)
  }, 300_000)
})
