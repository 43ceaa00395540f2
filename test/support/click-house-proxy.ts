import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** A statement on its way to the engine. */
export interface PassingStatement {
  readonly sql: string
  /** Fields of the query string: settings and short parameters. */
  readonly fields: URLSearchParams
  /** Its body with all fields, where it is a form; null for others. */
  readonly boundary: string | null
}

/** What happens to statements on their way. */
export interface ProxyRules {
  /** What reaches the engine instead. A statement with rows in its body keeps its text. */
  readonly change?: (statement: PassingStatement) => Pick<PassingStatement, "sql" | "fields">
  /** The engine has the statement once this resolves; the message of what it rejects with is the answer instead. */
  readonly before?: (statement: PassingStatement) => Promise<void>
  /** Whoever asked has the answer once this resolves. */
  readonly after?: (statement: PassingStatement) => Promise<void>
}

export interface ClickHouseProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server that passes statements on to ClickHouse. @param target asked for each statement. */
export async function startClickHouseProxy(target: () => string, rules: ProxyRules): Promise<ClickHouseProxy> {
  const server = createServer((asked, answer) => {
    pass(asked, answer, target(), rules).catch((refusal: unknown) => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(400).end(refusal instanceof Error ? refusal.message : String(refusal))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(target()), { port: String(port) }).href,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(asked: IncomingMessage, answer: ServerResponse, target: string, rules: ProxyRules): Promise<void> {
  const { hostname, port } = new URL(target)
  const { searchParams } = new URL(asked.url ?? "", target)
  const query = searchParams.get("query")
  const { authorization = "", "content-type": contentType = "" } = asked.headers
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? null
  const given = { sql: query ?? (await text(asked)), fields: searchParams, boundary }
  const { sql, fields } = rules.change?.(given) ?? given
  await rules.before?.(given)
  const headers = { authorization, "content-type": contentType }
  const passed = request({ hostname, port, path: `/?${fields}`, method: "POST", headers, agent: false })
  answer.once("close", () => passed.destroy())
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    passed.once("response", resolve)
    passed.once("error", reject)
  })
  if (query === null) passed.end(sql)
  else asked.pipe(passed)
  const response = await answered
  await rules.after?.(given)
  answer.writeHead(response.statusCode ?? 500, response.headers)
  response.pipe(answer)
  response.once("error", () => answer.destroy())
}
