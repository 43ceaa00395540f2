import { afterEach, describe, expect, test } from "@jest/globals"
import { asProjectId } from "../../src/kernel/ids.js"
import { noteProject, noteRoute } from "../../src/kernel/request-note.js"
import type { AccessLogEntry } from "../../src/platform/logger/open-access-log.js"
import { createHttpServer, type HotHandler, type HttpServer } from "../../src/transport/http-server.js"
import { logRequests } from "../../src/transport/log-requests.js"
import { watchRequests } from "../../src/transport/watch-requests.js"
import { waitFor } from "../support/wait-for.js"

let server: HttpServer
let entries: AccessLogEntry[] = []
afterEach(() => server.close(100))

async function start(hot: HotHandler): Promise<string> {
  entries = []
  server = createHttpServer({
    hot,
    web: (_request, response) => response.writeHead(404).end("not found"),
    handleUpgrade: (_request, socket) => socket.destroy(),
    upgradePaths: [],
    around: watchRequests([
      logRequests({ write: (entry) => entries.push(entry), reopen: () => undefined, close: async () => undefined }),
    ]),
  })
  return `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`
}
const logged = (count: number) => waitFor(`${count} lines`, () => entries.length === count)

describe("the access log", () => {
  test("has what each of several requests at once came to, by its row and its project", async () => {
    const url = await start((request, response) => {
      noteRoute("flags")
      const id = Number(new URL(request.url ?? "", "http://here").searchParams.get("project"))
      setImmediate(() => {
        noteProject(asProjectId(id))
        response.end("x".repeat(1_000 * id))
      })
      return true
    })
    await Promise.all([1, 2, 3].map((id) => fetch(`${url}/?project=${id}&personal_api_key=phx_secret`)))
    await logged(3)
    const lines = entries.toSorted((a, b) => Number(a.project) - Number(b.project))
    expect(lines.map(({ method, route, status, project }) => ({ method, route, status, project }))).toEqual(
      [1, 2, 3].map((project) => ({ method: "GET", route: "flags", status: 200, project })),
    )
    for (const { bytes, project, ms } of lines) {
      expect(Math.floor(bytes / 1_000)).toBe(project)
      expect(ms).toBeGreaterThanOrEqual(0)
    }
    expect(JSON.stringify(lines)).not.toContain("secret")
  })

  test("names what is in no row by the part of the web application, never by its path", async () => {
    const url = await start(() => false)
    for (const path of ["/graphql", "/_livez?probe", "/array/phc_key/config.js", "/phx_secret", "/__proto__"])
      await fetch(url + path)
    await logged(5)
    expect(entries.map(({ route }) => route)).toEqual(["graphql", "health", "browser_sdk", "web", "web"])
  })

  test("says that a client left before its answer", async () => {
    const left = new AbortController()
    const url = await start(() => {
      left.abort()
      return true
    })
    await expect(fetch(url, { signal: left.signal })).rejects.toThrow()
    await logged(1)
    expect(entries[0]?.status).toBe(null)
  })
})
