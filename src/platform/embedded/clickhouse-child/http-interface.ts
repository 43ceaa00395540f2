import { createHash, randomUUID, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { ChdbEngine, EngineAnswer } from "./chdb-engine.js"
import { EngineException, toEngineException } from "./engine-exception.js"
import { readStatementRequest, type StatementRequest } from "./http-request.js"
import { IdleCollection } from "./idle-collection.js"
import type { StatementClass } from "./statement-queues.js"

/** Longer than our client keeps an idle socket (1 s), so that a socket never closes under a request. */
const KEEP_ALIVE_TIMEOUT_MS = 30_000
/** Parameters and an INSERT's head may travel in the URL. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024
const USER = "default"

/** ClickHouse's HTTP interface, as far as our client and curl use it, in front of the embedded engine. */
export function createHttpInterface(engine: ChdbEngine, password: string): Server {
  const isAllowed = passwordCheck(password)
  const idleCollection = new IdleCollection()
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost")
      if (url.pathname === "/ping") return void sendText(response, 200, "Ok.\n")
      if (!isAllowed(request, url)) return void sendException(response, authenticationFailed())
      if (url.pathname !== "/") return void sendText(response, 404, `There is no handle ${url.pathname}\n`)
      if (request.method !== "GET" && request.method !== "POST")
        return void sendText(response, 405, "Method not allowed\n")
      if (request.method === "GET" && !url.searchParams.has("query")) return void sendText(response, 200, "Ok.\n")
      void answer(engine, request, response, url).finally(() => idleCollection.noteWork())
    },
  )
  return server
}

async function answer(engine: ChdbEngine, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  try {
    const statement = await readStatementRequest(request, url, engine.dataDirectory)
    const queryId = statement.queryId ?? randomUUID()
    response.setHeader("X-ClickHouse-Query-Id", queryId)
    const startedAt = performance.now()
    if (statement.isStreamed) return await sendPieces(engine, response, statement, queryId, gone.signal)
    const run = { ...statement, queryId, statementClass: toStatementClass(statement), signal: gone.signal }
    const engineAnswer = await engine.run(run).finally(() => statement.release())
    sendAnswer(response, statement, engineAnswer, performance.now() - startedAt)
  } catch (error) {
    // Nobody is there to be answered after an abort.
    if (!gone.signal.aborted) sendException(response, toEngineException(error))
  }
}

function toStatementClass({ scanned }: StatementRequest): StatementClass {
  if (scanned.isControl) return "control"
  return scanned.verb === "INSERT" ? "insert" : "query"
}

const FORMAT_CLAUSE = /\s+FORMAT\s+\w+\s*$/i

/** Sends an answer while it is made. A refusal after the first piece breaks the answer off, as a real server does. */
async function sendPieces(
  engine: ChdbEngine,
  response: ServerResponse,
  request: StatementRequest,
  queryId: string,
  signal: AbortSignal,
): Promise<void> {
  const defaultFormat = request.scanned.format ?? request.defaultFormat
  const statement = request.statement.replace(FORMAT_CLAUSE, "")
  const pieces = engine.stream({ ...request, statement, defaultFormat, queryId, statementClass: "query", signal })
  try {
    for await (const piece of pieces) {
      if (!response.headersSent) response.writeHead(200, { "X-ClickHouse-Format": defaultFormat })
      if (!response.write(piece)) await once(response, "drain", { signal })
    }
    response.end()
  } catch (error) {
    if (!response.headersSent) throw error
    response.destroy()
  }
}

function sendAnswer(
  response: ServerResponse,
  request: StatementRequest,
  answer: EngineAnswer,
  elapsedMs: number,
): void {
  const format = request.scanned.format ?? request.defaultFormat
  const summary = {
    read_rows: String(answer.rowsRead),
    read_bytes: String(answer.bytesRead),
    written_rows: String(answer.rowsWritten),
    written_bytes: String(answer.bytesWritten),
    total_rows_to_read: "0",
    result_rows: "0",
    result_bytes: String(answer.bytes.length),
    elapsed_ns: String(Math.round(elapsedMs * 1e6)),
  }
  response.writeHead(200, {
    "Content-Type": format.startsWith("JSON") ? "application/json; charset=UTF-8" : "text/plain; charset=UTF-8",
    "Content-Length": answer.bytes.length,
    "X-ClickHouse-Format": format,
    "X-ClickHouse-Timezone": "UTC",
    "X-ClickHouse-Summary": JSON.stringify(summary),
  })
  response.end(answer.bytes)
}

function sendException(response: ServerResponse, exception: EngineException): void {
  response.setHeader("X-ClickHouse-Exception-Code", String(exception.code))
  sendText(response, exception.httpStatus, `${exception.message}\n`)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  // What is left of a refused body would be read as the next request.
  if (status >= 400 && !response.req.complete) response.setHeader("Connection", "close")
  response.writeHead(status, { "Content-Type": "text/plain; charset=UTF-8", "Content-Length": Buffer.byteLength(text) })
  response.end(text)
}

const authenticationFailed = (): EngineException =>
  new EngineException(
    516,
    "AUTHENTICATION_FAILED",
    `${USER}: Authentication failed: password is incorrect, or there is no user with such name.`,
  )

/** Accepts basic authentication, the X-ClickHouse headers and the query string, as a real server does. */
function passwordCheck(password: string): (request: IncomingMessage, url: URL) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
  const expected = digest(`${USER}:${password}`)
  return (request, url) => timingSafeEqual(expected, digest(readCredentials(request, url)))
}

function readCredentials({ headers }: IncomingMessage, url: URL): string {
  const basic = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1]
  if (basic !== undefined) return Buffer.from(basic, "base64").toString("utf8")
  const user = headers["x-clickhouse-user"] ?? url.searchParams.get("user") ?? USER
  return `${String(user)}:${String(headers["x-clickhouse-key"] ?? url.searchParams.get("password") ?? "")}`
}
