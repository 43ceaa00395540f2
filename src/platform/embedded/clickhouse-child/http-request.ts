import type { IncomingMessage } from "node:http"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { EMBEDDED_DATABASE } from "./child-protocol.js"
import { EngineException } from "./engine-exception.js"
import { isWholeFile, receiveFile, removeFile } from "./exchange-files.js"
import { RequestBytes } from "./request-bytes.js"
import { isEngineSetting } from "./setting-policy.js"
import { type ScannedStatement, scanStatement } from "./statement-scan.js"

/** A request of the HTTP interface, read. */
export interface StatementRequest {
  readonly queryId: string | null
  readonly database: string
  readonly statement: string
  readonly scanned: ScannedStatement
  readonly rows: Uint8Array | null
  readonly rowsFile: string | null
  readonly defaultFormat: string
  /** Whether a SELECT is to be answered while it is made (`wait_end_of_query=0`). */
  readonly isStreamed: boolean
  readonly settings: ReadonlyMap<string, string>
  readonly parameters: ReadonlyMap<string, string>
  /** To be called once nobody reads the rows any more: gives their memory, or their file, back at once. */
  release(): void
}

const MAX_BODY_BYTES = 512 * 1024 * 1024
/** Table, columns and settings of an INSERT fit in here; its rows follow. */
const MAX_INSERT_HEAD_BYTES = 64 * 1024
const LONGEST_FORMAT_NAME = 64
const inflate = promisify(gunzip)
/** Query string keys of the HTTP interface that are neither settings nor parameters. */
const INTERFACE_KEYS = new Set([
  "query",
  "database",
  "query_id",
  "default_format",
  "user",
  "password",
  "session_id",
  "role",
])
const PARAMETER_PREFIX = "param_"

/**
 * Reads a statement request: text in `?query=`, in the body, or begun in the one and continued in the other; values and
 * settings in the query string or as multipart fields.
 * @throws EngineException for a body or a setting that cannot be taken.
 */
export async function readStatementRequest(
  request: IncomingMessage,
  url: URL,
  dataDirectory: string,
): Promise<StatementRequest> {
  const fields = new Map(url.searchParams)
  return (await readFileInsert(request, fields, dataDirectory)) ?? readInMemory(request, fields)
}

/** An INSERT in the URL whose rows are a whole file, as large as it may be; null for every other request. */
async function readFileInsert(
  request: IncomingMessage,
  fields: ReadonlyMap<string, string>,
  dataDirectory: string,
): Promise<StatementRequest | null> {
  const statement = fields.get("query") ?? ""
  const scanned = statement === "" ? null : scanStatement(statement)
  if (scanned === null || !isWholeFile(scanned.rowsFormat)) return null
  const settings = readFields(fields, request)
  const rowsFile = await receiveFile(request, dataDirectory)
  return { statement, scanned, rows: null, rowsFile, ...settings, release: () => void removeFile(rowsFile) }
}

async function readInMemory(request: IncomingMessage, fields: Map<string, string>): Promise<StatementRequest> {
  const bytes = await readBody(request)
  let body = await decode(request, bytes.read())
  const contentType = request.headers["content-type"] ?? ""
  if (contentType.startsWith("multipart/form-data")) {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData()
    for (const [name, value] of form) fields.set(name, typeof value === "string" ? value : await value.text())
    body = Buffer.alloc(0)
  }
  return {
    ...splitStatement(fields.get("query") ?? "", body),
    rowsFile: null,
    ...readFields(fields, request),
    release: () => bytes.free(),
  }
}

function splitStatement(query: string, body: Buffer): Pick<StatementRequest, "statement" | "scanned" | "rows"> {
  const head = Buffer.from(query === "" ? "" : `${query}\n`)
  const parts = [head, body].filter((part) => part.length > 0)
  const [first = head] = parts
  const scannedFirst = scanHead(first)
  if (scannedFirst !== null && scannedFirst.dataStart !== null) {
    const rest = first.subarray(scannedFirst.dataStart)
    const rows = parts.length === 1 ? rest : isBlank(rest) ? body : Buffer.concat([rest, body])
    return {
      statement: first.toString("utf8", 0, scannedFirst.dataStart).trimEnd(),
      scanned: scannedFirst,
      rows,
    }
  }
  const whole = parts.length === 1 ? first : Buffer.concat(parts)
  const isScanned = parts.length === 1 && scannedFirst !== null
  const scanned = isScanned ? scannedFirst : scanStatement(whole.toString("latin1"))
  if (scanned.verb === "") throw new EngineException(62, "SYNTAX_ERROR", "Syntax error: Empty query")
  return { statement: whole.toString("utf8"), scanned, rows: null }
}

/** Looks for an INSERT's head without decoding its rows. Null when the text may go on in a way that matters. */
function scanHead(text: Buffer): ScannedStatement | null {
  const isWhole = text.length <= MAX_INSERT_HEAD_BYTES
  const scanned = scanStatement(text.toString("latin1", 0, MAX_INSERT_HEAD_BYTES))
  const isInside = scanned.dataStart !== null && scanned.dataStart < MAX_INSERT_HEAD_BYTES - LONGEST_FORMAT_NAME
  return isWhole || isInside ? scanned : null
}

const isBlank = (bytes: Buffer): boolean => bytes.toString("latin1").trim() === ""

function readFields(fields: ReadonlyMap<string, string>, request: IncomingMessage) {
  const settings = new Map<string, string>()
  const parameters = new Map<string, string>()
  for (const [name, value] of fields) {
    if (INTERFACE_KEYS.has(name)) continue
    if (!name.startsWith(PARAMETER_PREFIX)) {
      if (isEngineSetting(name)) settings.set(name, value)
      continue
    }
    const parameter = name.slice(PARAMETER_PREFIX.length)
    if (!/^\w+$/.test(parameter))
      throw new EngineException(36, "BAD_ARGUMENTS", `Parameter name ${JSON.stringify(parameter)} is not an identifier`)
    parameters.set(parameter, value)
  }
  if (request.method === "GET" && !settings.has("readonly")) settings.set("readonly", "2")
  const header = (name: string): string | null => [request.headers[name]].flat()[0] || null
  return {
    queryId: fields.get("query_id") || null,
    database: fields.get("database") || header("x-clickhouse-database") || EMBEDDED_DATABASE,
    defaultFormat: fields.get("default_format") || header("x-clickhouse-format") || "TabSeparated",
    isStreamed: fields.get("wait_end_of_query") === "0",
    settings,
    parameters,
  }
}

async function readBody(request: IncomingMessage): Promise<RequestBytes> {
  const bytes = new RequestBytes(Math.min(MAX_BODY_BYTES, Number(request.headers["content-length"] ?? 0)))
  for await (const piece of request as AsyncIterable<Buffer>) {
    if (bytes.length + piece.length > MAX_BODY_BYTES)
      throw new EngineException(307, "QUERY_IS_TOO_LARGE", "The request body is too large")
    bytes.append(piece)
  }
  return bytes
}

async function decode(request: IncomingMessage, body: Buffer): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity"
  if (encoding === "identity") return body
  if (encoding !== "gzip") throw new EngineException(48, "NOT_IMPLEMENTED", `Unknown compression method: ${encoding}`)
  return inflate(body, { maxOutputLength: MAX_BODY_BYTES }).catch((error: Error) => {
    throw new EngineException(354, "ZLIB_INFLATE_FAILED", `The body is not gzip: ${error.message}`)
  })
}
