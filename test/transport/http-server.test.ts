import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
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
    const port = await start(({ url }, response) =>
      url === "/new" ? response.end().writableEnded : waiting.push(response) > 0,
    )
    const inFlight = fetch(`http://127.0.0.1:${port}/slow`)
    const response = await waitFor("the request", () => waiting[0])
    const closed = server?.close(10_000)
    const isRefused = () =>
      fetch(`http://127.0.0.1:${port}/new`).then(
        () => false,
        () => true,
      )
    await waitFor("new connections to be refused", isRefused)
    response.end("done")
    expect(await (await inFlight).text()).toBe("done")
    await closed
  })

  test("serves on once it is announced to close, and ends each connection with its answer", async () => {
    const port = await start((_request, response) => response.end("served").writableEnded)
    const ask = () => fetch(`http://127.0.0.1:${port}/`)
    expect((await ask()).headers.get("connection")).toBe("keep-alive")
    server?.announceClose()
    const answer = await ask()
    expect([await answer.text(), answer.headers.get("connection")]).toEqual(["served", "close"])
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

  describe("with all its places taken", () => {
    const limits = { maxConnections: 3, reservedConnections: 2, maxConnectionsPerAddress: 10 }

    /** A connection from an address of its own that has said something and waits. */
    const open = async (port: number, text = "", localAddress = "127.0.0.1"): Promise<Socket> => {
      const socket = connect({ port, host: "127.0.0.1", localAddress })
      socket.on("error", () => undefined)
      await once(socket, "connect")
      socket.write(text)
      return socket
    }

    /** Starts a server whose places are taken by requests that it works on. */
    async function startBusy(options: Partial<HttpServerOptions> = {}) {
      const refusals: string[] = []
      let busy = 0
      const port = await start(
        (request, response) => {
          if (request.url === "/busy") return ++busy > 0
          response.end(`answered ${request.url}`)
          return true
        },
        { limits, isReserved: (path) => path === "/_livez", onRefused: () => refusals.push("refused"), ...options },
      )
      for (let index = 0; index < 3; index++) await open(port, "GET /busy HTTP/1.1\r\nHost: x\r\n\r\n")
      await waitFor("the requests", () => busy === 3)
      return { port, refusals }
    }

    test("a connection that says nothing gives its place to who comes", async () => {
      const port = await start(
        (request, response) => {
          response.end(`answered ${request.url}`)
          return true
        },
        { limits },
      )
      const quiet = await Promise.all(
        ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"].map((text) =>
          open(port, text),
        ),
      )
      const closed = once(quiet[0] as Socket, "close")
      expect(await (await fetch(`http://127.0.0.1:${port}/one`)).text()).toBe("answered /one")
      await closed
    })

    test("the address with the most connections gives its places first", async () => {
      const port = await start(() => false, { limits })
      const [other, ...many] = [await open(port, "", "127.0.0.2"), await open(port), await open(port)]
      const closed = Promise.race([...many, other].map((socket) => once(socket as Socket, "close").then(() => socket)))
      await open(port, "", "127.0.0.3")
      expect(many).toContain(await closed)
      expect(other?.destroyed).toBe(false)
    })

    test("requests in work keep theirs, and only requests with reserved places are answered", async () => {
      const { port, refusals } = await startBusy()
      const refused = await fetch(`http://127.0.0.1:${port}/other`)
      expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual([
        503,
        "1",
        "close",
      ])
      expect(await refused.json()).toMatchObject({ code: "overloaded" })
      expect(await (await fetch(`http://127.0.0.1:${port}/_livez?x=1`)).text()).toBe("answered /_livez?x=1")
      expect(await exchange(port, UPGRADE)).toContain("503")
      expect(refusals).toHaveLength(2)
    })

    test("and its reserved ones too, a connection is told to come again", async () => {
      const { port, refusals } = await startBusy({
        limits: { ...limits, reservedConnections: 0 },
      })
      expect(await exchange(port, "")).toContain("503 Service Unavailable\r\nRetry-After: 1")
      expect(refusals).toHaveLength(1)
    })

    test("one address has so many, of which the quiet one that was quiet longest makes room", async () => {
      const port = await start(() => true, {
        limits: { ...limits, maxConnections: 100, maxConnectionsPerAddress: 2 },
      })
      const first = await open(port)
      const second = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      const closed = once(first, "close")
      const third = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      await closed
      expect([second.destroyed, third.destroyed]).toEqual([false, false])
    })

    test("one address whose connections are all at work is told to come again", async () => {
      const { port } = await startBusy({ limits: { ...limits, maxConnections: 100, maxConnectionsPerAddress: 3 } })
      expect(await exchange(port, "")).toContain("429 Too Many Requests")
      const other = await open(port, "GET /_livez HTTP/1.1\r\nHost: x\r\n\r\n", "127.0.0.2")
      expect(String((await once(other, "data"))[0])).toContain("answered /_livez")
    })
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
