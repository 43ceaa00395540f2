import { afterAll, describe, expect, test } from "@jest/globals"
import { CaptureLoad, readStored } from "../support/capture-load.js"
import { EventLedger } from "../support/event-ledger.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const directory = copyOfTemplate("server")
let server = new WaymarkProcess(directory.path)
afterAll(async () => {
  await server.stop()
  directory.remove()
})

describe("SIGTERM under load", () => {
  test("ends the server by itself with code 0; all that it acknowledged is stored, nothing is doubled, and no answer is cut off", async () => {
    const ledger = new EventLedger()
    const url = await server.ready()
    let cutOff = 0
    const load = new CaptureLoad({ ledger, url: () => url, clients: 64, batchSize: 20, onCutOff: () => cutOff++ })
    await waitFor("requests to be acknowledged", () => ledger.acknowledgedRequests > 500)
    const { code, signal } = await server.stop()
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    await load.stop()
    expect(cutOff).toBe(0)

    server = new WaymarkProcess(directory.path)
    const api = new WaymarkApi(await server.ready())
    await api.drained()
    const { lost, duplicated, phantom, stable } = ledger.judge(await readStored(api))
    expect({ lost, duplicated, phantom, stable }).toEqual({
      lost: [],
      duplicated: [],
      phantom: [],
      stable: ledger.acknowledgedEvents,
    })
  })
})
