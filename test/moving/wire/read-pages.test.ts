import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, test } from "@jest/globals"
import { readPages } from "../../../src/moving/wire/read-pages.js"

describe("a list of a server that is no PostHog, or lies", () => {
  let server: Server
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  async function read(answer: RequestListener): Promise<unknown> {
    server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return readPages(`http://127.0.0.1:${(server.address() as AddressInfo).port}/events/`, {})
  }

  const answering =
    (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, { connection: "close", ...headers }).end(body)

  test("is refused where the next page is the same again", async () => {
    const same = answering(200, JSON.stringify({ results: [{}], next: "/events/" }))
    await expect(read(same)).rejects.toThrow(/\/events\/ goes on at \/events\/, which is no next page/)
  })

  test.each(["http://169.254.169.254/latest", "file:///etc/passwd", "http://["])(
    "is refused where it goes on at %s",
    async (next) => {
      const elsewhere = answering(200, JSON.stringify({ results: [], next }))
      await expect(read(elsewhere)).rejects.toThrow(`goes on at ${next}, which is no next page`)
    },
  )

  test("is not followed to another address", async () => {
    const redirecting = answering(302, "", { location: "http://127.0.0.1:1/private" })
    await expect(read(redirecting)).rejects.toThrow("redirects to http://127.0.0.1:1/private. Name the address")
  })

  test("is refused with what it says where that is a page of a browser", async () => {
    const page = answering(200, "<html>Sign in</html>")
    await expect(read(page)).rejects.toThrow("answers what is no JSON: <html>Sign in</html>")
  })
})
