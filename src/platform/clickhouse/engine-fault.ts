import { AppError } from "../../kernel/errors.js"
import { EngineError } from "./click-house.js"

const RETRY_AFTER_SECONDS = 2

/**
 * Codes with which a server says that it cannot serve now, not that the statement is wrong: ABORTED,
 * TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER, TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE,
 * TOO_MANY_PARTS, ALL_CONNECTION_TRIES_FAILED, TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE,
 * UNKNOWN_STATUS_OF_INSERT, CANNOT_SCHEDULE_TASK, KEEPER_EXCEPTION.
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  236, 202, 209, 210, 225, 242, 243, 252, 279, 285, 286, 319, 439, 999,
])

/** The fault for a store that cannot be reached or cannot serve now. */
export function storeUnavailable(cause: unknown): AppError {
  return new AppError("store_unavailable", {
    detail: "ClickHouse is not available just now. Please retry.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/**
 * The fault that ClickHouse's answer tells of: EngineError for a refusal of the statement, `store_unavailable` for an
 * answer that says the server cannot serve, or that does not come from ClickHouse at all (a proxy's page).
 */
export function toEngineFault(httpStatus: number, answer: string): EngineError | AppError {
  const error = readEngineError(answer)
  if (error === null) return storeUnavailable(new Error(`HTTP ${httpStatus}: ${answer.slice(0, 200)}`))
  return UNAVAILABLE_CODES.has(error.engineCode) ? storeUnavailable(error) : error
}

/** What an HTTP server says of a form that it does not take, by `http_max_field_value_size` above all. */
const REFUSED_FORM = /^Poco::Exception\. Code: (\d+), e\.code\(\) = \d+, (HTML Form Exception: .*)$/s
const BEGIN = /^(?:Code: (\d+)\. )?(?:Received from [^\s]+\. )?DB::(?:Net)?Exception: /
const WRAPPED = /^There was an error on \[[^\]]*\]: /
const VERSION = /\s*\(version [^()]*(?:\([^()]*\))?\)\.?$/
const NAME = /\.?\s*\(([A-Z][A-Z0-9_]+)\)\.?$/
const STACK_TRACE = /\.?\s*Stack trace:\s[\s\S]*$/

/**
 * Reads `Code: 62. DB::Exception: <sentence>. (SYNTAX_ERROR) (version 26.7.1.1)`, also when a cluster has wrapped it in
 * further layers. Names are taken from the end only, because the sentence may quote capitals in brackets itself.
 */
function readEngineError(answer: string): EngineError | null {
  let rest = answer.trim()
  const [, formCode, reason = ""] = REFUSED_FORM.exec(rest) ?? []
  if (formCode !== undefined) return new EngineError(Number(formCode), "POCO_EXCEPTION", reason.replace(VERSION, ""))
  let code: number | null = null
  let name: string | null = null
  for (let begin = BEGIN.exec(rest); begin !== null; begin = BEGIN.exec(rest)) {
    code ??= begin[1] === undefined ? null : Number(begin[1])
    rest = rest.slice(begin[0].length).replace(WRAPPED, "").replace(VERSION, "")
    const named = NAME.exec(rest)
    name ??= named?.[1] ?? null
    if (named !== null) rest = rest.slice(0, named.index)
    rest = rest.replace(STACK_TRACE, "").trimEnd()
  }
  return code === null ? null : new EngineError(code, name ?? "UNKNOWN_EXCEPTION", rest)
}
