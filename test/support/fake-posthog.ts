import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Key that the server opens to. */
export const POSTHOG_KEY = "phx_of_the_source"

type Records = Readonly<Record<string, readonly object[]>>

/**
 * Serves lists and single records as PostHog's REST API does: `{count, next, previous, results}`, lists of recordings
 * `{results, has_next}`, two records a page. The first request of each list is refused for now, as a busy server would.
 */
export class FakePosthog {
  private readonly refused = new Set<string>()
  private readonly server: Server
  url = ""

  /** @param records of each path below the project, such as `cohorts/`. */
  constructor(private readonly records: Records) {
    this.server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", this.url)
      const path = url.pathname.replace("/api/projects/42/", "")
      const isKnown = request.headers.authorization === `Bearer ${POSTHOG_KEY}`
      const answer = isKnown ? this.answer(path, url) : { status: 401, body: { detail: "Invalid key." } }
      response.writeHead(answer.status, { "content-type": "application/json", "retry-after": "0" })
      response.end(JSON.stringify(answer.body))
    })
  }

  /** Starts it; `url` is its address from then on. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  stop = (): Promise<unknown> => new Promise((resolve) => this.server.close(resolve))

  private answer(path: string, url: URL): { status: number; body: object } {
    const list = this.records[path]
    if (list === undefined) return this.answerOne(path)
    if (!this.refused.has(path)) {
      this.refused.add(path)
      return { status: 429, body: { detail: "Request was throttled." } }
    }
    const offset = Number(url.searchParams.get("offset") ?? 0)
    const next = new URL(url)
    next.searchParams.set("offset", String(offset + 2))
    const hasNext = offset + 2 < list.length
    const results = list.slice(offset, offset + 2)
    if (path.endsWith("/recordings/")) return { status: 200, body: { results, has_next: hasNext } }
    return { status: 200, body: { count: list.length, next: hasNext ? next.href : null, previous: null, results } }
  }

  private answerOne(path: string): { status: number; body: object } {
    const [, list = "", id = ""] = /^(.*\/)([^/]+)\/$/.exec(path) ?? []
    const record = this.records[list]?.find((each) => "id" in each && String(each.id) === id)
    return record === undefined ? { status: 404, body: { detail: "Not found." } } : { status: 200, body: record }
  }
}
