import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "@jest/globals"
import lzString from "lz-string"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const MIB = 1024 * 1024
const ORIGIN = "https://shop.example"
const CAPTURE_PATHS = ["/i/v0/e/", "/batch/", "/e/", "/capture/", "/track/", "/engage/", "/s/", "/i/v0/ai/batch/"]

const { api } = ownServer()
const newEvent = () => ({ api_key: PROJECT_KEY, event: "sent", distinct_id: "ada", uuid: randomUUID() })
type Sent = ReturnType<typeof newEvent>

async function isStoredOnce({ uuid }: Sent): Promise<void> {
  await api.drained()
  expect(await api.hogql(`SELECT count() FROM events WHERE uuid = '${uuid}'`)).toEqual([[1]])
}

/** A connection that says what it was told to and hears what it is answered. */
class RawClient {
  readonly socket: Socket
  heard = ""
  isClosed = false

  constructor() {
    this.socket = connect(Number(new URL(api.url).port), "127.0.0.1")
    this.socket.on("data", (bytes) => {
      this.heard += bytes.toString("latin1")
    })
    this.socket.on("close", () => {
      this.isClosed = true
    })
    this.socket.on("error", () => undefined)
  }

  say(bytes: string | Buffer): this {
    this.socket.write(bytes)
    return this
  }

  status(): number | null {
    const line = /^HTTP\/1\.1 (\d{3})/.exec(this.heard)
    return line === null ? null : Number(line[1])
  }
}

const head = (...fields: string[]): string =>
  ["POST /batch/ HTTP/1.1", "Host: x", "Content-Type: application/json", ...fields, "", ""].join("\r\n")

test("people whose ids are numbers with more digits than a double has stay apart", async () => {
  const [ada, bob, eve] = ["90071992547409930", "90071992547409931", "90071992547409932"]
  const inBatch = `{"api_key":"${PROJECT_KEY}","batch":[{"event":"numbered","properties":{"distinct_id":${bob}}}]}`
  const bodies = [`{"api_key":"${PROJECT_KEY}","event":"numbered","distinct_id":${ada}}`, inBatch]
  for (const body of bodies) expect((await api.request("POST", "/i/v0/e/", body)).status).toBe(200)
  const joined = `{"event":"$identify","distinct_id":"Eve","properties":{"$anon_distinct_id":${eve}},"token":"${PROJECT_KEY}"}`
  expect((await api.request("POST", "/e/", joined)).status).toBe(200)
  await api.drained()
  const found = await api.hogql("SELECT distinct_id FROM events WHERE event = 'numbered' ORDER BY distinct_id")
  expect(found).toEqual([[ada], [bob]])
  const { person } = await api.graphql<{ person: { distinctIds: string[] } }>(
    "query ($id: String!) { person(by: { distinctId: $id }) { distinctIds } }",
    { id: eve },
  )
  expect(person.distinctIds.toSorted()).toEqual([eve, "Eve"])
})

describe("capture for pages of any origin", () => {
  test.each(CAPTURE_PATHS)("lets a page ask %s beforehand and read the answer, faults included", async (path) => {
    const preflight = await fetch(`${api.url}${path}`, {
      method: "OPTIONS",
      headers: {
        origin: ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,content-encoding",
      },
    })
    expect(preflight.status).toBe(200)
    expect(preflight.headers.get("access-control-allow-origin")).toBe(ORIGIN)
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST")
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type,content-encoding")
    for (const body of ["{", "{}"]) {
      const refused = await fetch(`${api.url}${path}`, { method: "POST", headers: { origin: ORIGIN }, body })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.headers.get("access-control-allow-origin")).toBe(ORIGIN)
      expect(await refused.json()).toMatchObject({ type: expect.any(String), code: expect.any(String) })
    }
  })
})

describe("the ways in which SDKs pack an event", () => {
  const base64 = (event: Sent): string => Buffer.from(JSON.stringify(event)).toString("base64")
  const form = (fields: Record<string, string>) => ({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  })
  const packings: [string, (event: Sent) => { path: string; init: RequestInit }][] = [
    ["GET with data=", (event) => ({ path: `/e/?data=${encodeURIComponent(base64(event))}`, init: { method: "GET" } })],
    ["form data=", (event) => ({ path: "/e/", init: form({ data: base64(event) }) })],
    [
      "form data= with compression=base64",
      (event) => ({ path: "/e/?compression=base64", init: form({ data: base64(event) }) }),
    ],
    [
      "form lz64",
      (event) => {
        const data = lzString.compressToBase64(JSON.stringify(event))
        return { path: "/e/", init: form({ data, compression: "lz64" }) }
      },
    ],
    [
      "gzip without any hint",
      (event) => ({
        path: "/e/",
        init: { headers: { "content-type": "text/plain" }, body: gzipSync(JSON.stringify(event)) },
      }),
    ],
    [
      "gzip by header",
      (event) => ({
        path: "/batch/",
        init: {
          headers: { "content-encoding": "gzip" },
          body: gzipSync(JSON.stringify({ api_key: PROJECT_KEY, batch: [event] })),
        },
      }),
    ],
  ]

  test.each(packings)("%s is stored once, and once more sent it is not stored again", async (_name, pack) => {
    const event = newEvent()
    const { path, init } = pack(event)
    for (let time = 0; time < 2; time++) {
      const answer = await fetch(`${api.url}${path}`, { method: "POST", ...init })
      expect([answer.status, await answer.text()]).toEqual([200, '{"status":"Ok"}'])
    }
    await isStoredOnce(event)
  })

  test("a beacon is answered 204 without a body", async () => {
    const event = newEvent()
    const init = { method: "POST", ...form({ data: base64(event) }) }
    const answer = await fetch(`${api.url}/e/?compression=base64&beacon=1`, init)
    expect([answer.status, await answer.text()]).toEqual([204, ""])
    await isStoredOnce(event)
  })
})

describe("bodies that are too large or too slow", () => {
  test("a client that sends one byte more than 20 MiB reads its 413, and its connection serves the next request", async () => {
    const event = newEvent()
    const next = JSON.stringify({ api_key: PROJECT_KEY, batch: [event] })
    const client = new RawClient()
      .say(head(`Content-Length: ${20 * MIB + 1}`))
      .say(Buffer.alloc(20 * MIB + 1, 0x20))
      .say(head(`Content-Length: ${Buffer.byteLength(next)}`, "Connection: close"))
      .say(next)
    await waitFor("both answers", () => client.isClosed)
    expect(client.heard.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"])
    expect(client.heard).toContain('"code":"payload_too_large"')
    await isStoredOnce(event)
  })

  test("a body that announces 10 GB is refused before any of it is read", async () => {
    const client = new RawClient().say(head("Content-Length: 10000000000"))
    await waitFor("an answer", () => client.status())
    expect(client.status()).toBe(413)
    await waitFor("the connection to end", () => client.isClosed)
  })

  test("chunks without end are refused once they are more than twice the limit", async () => {
    const client = new RawClient().say(head("Transfer-Encoding: chunked"))
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MIB, 0x20), Buffer.from("\r\n")])
    for (let sent = 0; sent < 60; sent++) client.say(chunk)
    await waitFor("an answer", () => client.status())
    expect(client.status()).toBe(413)
    await waitFor("the connection to end", () => client.isClosed)
  })

  test("a body that comes byte by byte is stored once it is whole, and holds up nobody meanwhile", async () => {
    const slow = newEvent()
    const body = JSON.stringify({ api_key: PROJECT_KEY, batch: [slow] })
    const client = new RawClient().say(head(`Content-Length: ${Buffer.byteLength(body)}`))
    for (const byte of body) {
      await new Promise<void>((resolve) => client.socket.write(byte, () => resolve()))
      if (byte === ",") expect((await api.capture({ event: "quick", distinct_id: "bo" })).status).toBe(200)
    }
    await waitFor("an answer", () => client.status())
    expect(client.status()).toBe(200)
    client.socket.destroy()
    await isStoredOnce(slow)
  })

  test("a client that goes away in the middle of its body leaves nothing behind", async () => {
    const event = newEvent()
    const body = JSON.stringify({ api_key: PROJECT_KEY, batch: [event] })
    const client = new RawClient().say(head(`Content-Length: ${Buffer.byteLength(body) + 1}`)).say(body)
    await waitFor("the body to be written", () => client.socket.bytesWritten > body.length)
    client.socket.destroy()
    await api.drained()
    expect(await api.hogql(`SELECT count() FROM events WHERE uuid = '${event.uuid}'`)).toEqual([[0]])
  })
})

test.each([
  ["no JSON", "{", {}],
  ["empty", "", {}],
  ["damaged", "not gzip", { "content-encoding": "gzip" }],
])(
  "a body of the newer path that is %s is refused in the words of that path, its tag among them",
  async (_what, body, packed) => {
    const { status, body: said } = await api.request("POST", "/i/v1/analytics/events", body, {
      authorization: `Bearer ${PROJECT_KEY}`,
      "content-type": "application/json",
      "user-agent": "test/1",
      "posthog-sdk-info": "test/1",
      "posthog-attempt": "1",
      "posthog-request-id": randomUUID(),
      "posthog-request-timestamp": new Date().toISOString(),
      ...packed,
    })
    expect({ status, said }).toMatchObject({
      status: 400,
      said: { error: "malformed_data", error_description: expect.any(String), code: "malformed_data", attr: null },
    })
  },
)
