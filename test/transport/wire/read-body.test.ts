import { once } from "node:events"
import http from "node:http"
import net from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { toPublicError } from "../../../src/kernel/errors.js"
import { readBody } from "../../../src/transport/wire/read-body.js"
import { holdFreely } from "../../support/ample-memory.js"

const MAX_BYTES = 64 * 1024
const faults: string[] = []
const server = http.createServer((request, response) => {
  readBody(request, MAX_BYTES, holdFreely).then(
    (body) => response.end(String(body.length)),
    (fault) => {
      faults.push(fault.message)
      if (!request.complete) response.setHeader("Connection", "close")
      response.writeHead(toPublicError(fault, String).status).end()
    },
  )
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let port: number

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  port = (server.address() as net.AddressInfo).port
})
afterAll(() => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
})

interface Reply {
  readonly status: number | undefined
  readonly text: string
  readonly localPort: number | undefined
}

async function send(body: Buffer | null, headers: http.OutgoingHttpHeaders = {}): Promise<Reply> {
  const request = http.request({ port, method: "POST", agent, headers })
  request.end(body ?? undefined)
  const [response] = (await once(request, "response")) as [http.IncomingMessage]
  let text = ""
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text, localPort: request.socket?.localPort }
}

async function sendRaw(text: string): Promise<string> {
  const socket = net.connect(port, "127.0.0.1")
  socket.write(text)
  let answer = ""
  for await (const chunk of socket) answer += chunk
  return answer
}

describe("reading a body", () => {
  test("a request without a body reads as empty", async () => {
    expect(await send(null, { "Content-Length": 0 })).toMatchObject({ status: 200, text: "0" })
  })

  test("a body of exactly the limit is read, in chunks or not", async () => {
    expect(await send(Buffer.alloc(MAX_BYTES))).toMatchObject({ status: 200, text: String(MAX_BYTES) })
    expect(await send(Buffer.alloc(MAX_BYTES), { "Transfer-Encoding": "chunked" })).toMatchObject({ status: 200 })
  })

  test("after a 413 to a body of less than twice the limit the connection serves the next request", async () => {
    const refused = await send(Buffer.alloc(MAX_BYTES * 1.5))
    const next = await send(Buffer.from("{}"))
    expect([refused.status, next.status]).toEqual([413, 200])
    expect(next.localPort).toBe(refused.localPort)
  })

  test("a body announced as more than twice the limit is refused before it is read, and the connection is closed", async () => {
    const answer = await sendRaw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
    expect(answer).toMatch(/^HTTP\/1\.1 413/)
    expect(answer).toMatch(/connection: close/i)
  })

  test("chunks without end are refused after twice the limit", async () => {
    const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`
    const answer = await sendRaw(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413/)
  })

  test("a client that goes away in the middle of its body is a fault and not a wait for ever", async () => {
    const faultsBefore = faults.length
    const closed = new Promise<void>((resolve) => {
      server.once("request", (request) => request.once("close", () => setImmediate(resolve)))
    })
    const socket = net.connect(port, "127.0.0.1")
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc", () => socket.destroy())
    await closed
    expect(faults.slice(faultsBefore)).toEqual(["The request body ended too early."])
  })
})
