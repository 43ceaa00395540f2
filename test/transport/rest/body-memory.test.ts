import { once } from "node:events"
import http from "node:http"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { ByteBudget } from "../../../src/platform/limits/byte-budget.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const MIB = 1024 * 1024
const PLAYLISTS = "/api/projects/1/session_recording_playlists/"

let refused = 0
const bodyMemory = new ByteBudget({
  totalBytes: 20 * MIB,
  smallBytes: 192 * 1024,
  reserveBytes: MIB,
  onRefused: () => refused++,
})
let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({ bodyMemory })
})
afterAll(() => rest.close())

/** Sends all but the last byte of a body, and waits until the server has taken it. */
async function hold(path: string, bytes: number): Promise<http.ClientRequest> {
  const request = http.request(rest.url + path, { method: "POST", headers: { "Content-Length": bytes } })
  request.on("error", () => {})
  const before = bodyMemory.heldBytes
  request.write(Buffer.alloc(bytes - 1, " "))
  while (bodyMemory.heldBytes < before + bytes - 1) await new Promise(setImmediate)
  return request
}

describe("the memory of bodies", () => {
  test("is bounded: what goes beyond it is 503 with Retry-After, and small requests pass", async () => {
    const holding = await hold("/batch/", 9 * MIB)
    const large = await fetch(`${rest.url}/batch/`, { method: "POST", body: JSON.stringify([" ".repeat(2 * MIB)]) })
    expect([large.status, large.headers.get("retry-after")]).toEqual([503, "1"])
    expect(await large.json()).toMatchObject({ code: "overloaded" })
    expect(refused).toBe(1)
    expect((await fetch(`${rest.url}/batch/`, { method: "POST", body: "[]" })).status).toBe(200)
    holding.destroy()
    while (bodyMemory.heldBytes > 0) await new Promise(setImmediate)
    const again = await fetch(`${rest.url}/batch/`, { method: "POST", body: JSON.stringify([" ".repeat(2 * MIB)]) })
    expect(again.status).toBe(200)
    expect(bodyMemory.heldBytes).toBe(0)
  })

  test("counts what a body unpacks to, and what parsing makes of it", async () => {
    const body = gzipSync(JSON.stringify([" ".repeat(4 * MIB)]))
    const headers = { "Content-Encoding": "gzip" }
    expect((await fetch(`${rest.url}/batch/`, { method: "POST", headers, body })).status).toBe(503)
    expect(bodyMemory.heldBytes).toBe(0)
  })
})

describe("a management request", () => {
  test("with a wrong key in its head is refused before its body is read", async () => {
    const request = http.request(rest.url + PLAYLISTS, {
      method: "POST",
      headers: { Authorization: "Bearer phx_wrong", "Content-Type": "application/json", "Content-Length": 900_000 },
    })
    request.on("error", () => {})
    request.flushHeaders()
    const [response] = (await once(request, "response")) as [http.IncomingMessage]
    expect(response.statusCode).toBe(401)
    request.destroy()
  })

  test("without a key in its head is read up to 1 MiB, whatever its type", async () => {
    const request = http.request(`${rest.url}/api/projects/1/cohorts/`, {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": 4 * MIB },
    })
    request.on("error", () => {})
    request.write(Buffer.alloc(3 * MIB, " "))
    const [response] = (await once(request, "response")) as [http.IncomingMessage]
    expect([response.statusCode, response.headers.connection]).toEqual([401, "close"])
    request.destroy()
  })
})
