import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { afterEach, describe, expect, test } from "@jest/globals"
import {
  createHttpServer,
  type HotHandler,
  type HttpServer,
  type HttpServerOptions,
} from "../../src/transport/http-server.js"
import { waitFor } from "../support/wait-for.js"

let server: HttpServer | null = null
afterEach(() => server?.close(100))

async function start(hot: HotHandler, options: Partial<HttpServerOptions> = {}): Promise<number> {
  server = createHttpServer({
    hot,
    web: (_request, response) => response.writeHead(404).end("web"),
    handleUpgrade: (_request, socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
    upgradePaths: ["/graphql"],
    ...options,
  })
  return server.listen(0, "127.0.0.1")
}

/** Sends raw bytes and answers all that comes back until the connection ends. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1")
  socket.write(text)
  let answer = ""
  socket.on("data", (chunk) => {
    answer += chunk
  })
  await once(socket, "close")
  return answer
}

const UPGRADE = "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

describe("the HTTP server", () => {
  test("tries the hot handler first and gives the rest to the web", async () => {
    const port = await start((request, response) => {
      if (request.url !== "/hot") return false
      response.end("hot")
      return true
    })
    expect(await (await fetch(`http://127.0.0.1:${port}/hot`)).text()).toBe("hot")
    expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe("web")
  })

  test("answers requests in flight before it closes and takes no new ones", async () => {
    const waiting: ServerResponse[] = []
    const port = await start((_request, response) => waiting.push(response) > 0)
    const inFlight = fetch(`http://127.0.0.1:${port}/slow`)
    const response = await waitFor("the request", () => waiting[0])
    const closed = server?.close(10_000)
    await expect(fetch(`http://127.0.0.1:${port}/new`)).rejects.toThrow()
    response.end("done")
    expect(await (await inFlight).text()).toBe("done")
    await closed
  })

  test("answers 503 to what has no answer after the grace period, and that alone", async () => {
    const waiting: ServerResponse[] = []
    const port = await start((_request, response) => waiting.push(response) > 0)
    const inFlight = fetch(`http://127.0.0.1:${port}/never`)
    const response = await waitFor("the request", () => waiting[0])
    const [answer] = await Promise.all([inFlight, server?.close(20)])
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
    expect(await answer.json()).toMatchObject({ detail: "The server is stopping. Please retry." })
    expect(response.writableFinished).toBe(true)
  })

  test("cuts an answer that does not end within the grace period", async () => {
    const port = await start((_request, response) => response.writeHead(200).write("the beginning"))
    const answer = await fetch(`http://127.0.0.1:${port}/endless`)
    await Promise.all([server?.close(20), expect(answer.text()).rejects.toThrow()])
  })

  test("cuts upgraded connections that their owner forgot", async () => {
    let upgrades = 0
    const port = await start(() => false, {
      handleUpgrade: (_request, socket) => {
        upgrades++
        socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n")
      },
    })
    const ended = exchange(port, UPGRADE)
    await waitFor("the upgrade", () => upgrades === 1)
    await server?.close(20)
    expect(await ended).toContain("101")
  })

  test("hands upgrades over on the given paths only", async () => {
    const port = await start(() => false)
    const upgrade = (path: string) =>
      exchange(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    expect(await upgrade("/graphql/?x=1")).toContain("101 Switching Protocols")
    expect(await upgrade("/elsewhere")).toContain("404 Not Found")
  })

  test("refuses a head above the limit", async () => {
    const port = await start(() => false, { limits: { maxHeaderBytes: 2_000 } })
    expect(await exchange(port, `GET / HTTP/1.1\r\nX: ${"x".repeat(3_000)}\r\n\r\n`)).toContain("431")
  })

  test("lets go of a client that does not finish its head", async () => {
    const port = await start(() => false, {
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 50, timeoutCheckIntervalMs: 10 },
    })
    expect(await exchange(port, "GET / HTTP/1.1\r\nX: ")).toContain("408")
  })

  test("says when its port is taken", async () => {
    const port = await start(() => false)
    const second = createHttpServer({
      hot: () => false,
      web: () => undefined,
      handleUpgrade: () => undefined,
      upgradePaths: [],
    })
    await expect(second.listen(port, "127.0.0.1")).rejects.toThrow("EADDRINUSE")
  })
})
