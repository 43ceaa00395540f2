import type { Query } from "../../../hogql/index.js"
import { AppError } from "../../../kernel/errors.js"
import { type ClickHouse, EngineError } from "../../../platform/clickhouse/click-house.js"
import { toUserMessage } from "./engine-message.js"
import { findPlace } from "./engine-place.js"
import type { QueryEngine, RowStreamEngine } from "./query-engine.types.js"

const TOO_SLOW = new Set(["TIMEOUT_EXCEEDED", "TOO_SLOW"])
const CANCELLED = new Set(["QUERY_WAS_CANCELLED", "QUERY_WAS_CANCELLED_BY_CLIENT"])
const TOO_MUCH = new Set(["MEMORY_LIMIT_EXCEEDED", "CANNOT_ALLOCATE_MEMORY"])

/** Errors that only a defect of Waymark can cause: hidden from the caller and logged with an id. */
const DEFECTS = new Set([
  "LOGICAL_ERROR",
  "SYNTAX_ERROR",
  "UNKNOWN_SETTING",
  "READONLY",
  "SETTING_CONSTRAINT_VIOLATION",
  "ACCESS_DENIED",
  "UNKNOWN_DATABASE",
])

/** The query engine on ClickHouse. */
export function createClickHouseQueryEngine(clickHouse: ClickHouse): QueryEngine & RowStreamEngine {
  return {
    select: ({ compiled, ...statement }) =>
      orFault(statement.signal, () => clickHouse.query(statement), compiled?.ast ?? null),
    columns: ({ sql, parameters, signal, settings }) => {
      const described = { sql: `DESCRIBE TABLE (${sql})`, ...(parameters && { parameters }), settings: settings ?? {} }
      return orFault(signal, () => clickHouse.rows<{ name: string; type: string }>(described))
    },
    stream: (statement, format) => orFault(statement.signal, () => clickHouse.stream(statement, format)),
    progress: (engineQueryId) => clickHouse.progress(engineQueryId),
    kill: (engineQueryId) => clickHouse.kill(engineQueryId),
  }
}

async function orFault<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  query: Query | null = null,
): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    throw toFault(failure, signal, query)
  }
}

/**
 * An error of the engine as a request fault when the query caused it or took too much; anything else as it is. With the query
 * the fault tells the place in its text.
 */
export function toFault(failure: unknown, signal?: AbortSignal, query: Query | null = null): unknown {
  if (signal?.aborted) return toAbortFault(signal.reason)
  if (!(failure instanceof EngineError)) return failure
  const { engineName, message } = failure
  if (TOO_SLOW.has(engineName)) return new AppError("query_timeout", { cause: failure })
  if (CANCELLED.has(engineName)) return new AppError("query_cancelled", { cause: failure })
  if (engineName === "TOO_MANY_ROWS_OR_BYTES" && message.includes("max bytes"))
    return new AppError("result_too_large", { cause: failure })
  if (TOO_MUCH.has(engineName)) return new AppError("query_memory_limit", { cause: failure })
  if (DEFECTS.has(engineName) && !isUsersType(failure)) return failure
  const place = query && findPlace(query, message)
  return new AppError("invalid_input", {
    wireCode: engineName.toLowerCase(),
    detail: toUserMessage(engineName, message),
    ...(place && { attr: "query", extra: { start: place.start, end: place.end } }),
    cause: failure,
  })
}

/** Whether the user's own text holds a wrong name of a type, as in `JSONExtract(x, 'a', 'Strin')`. */
const isUsersType = ({ engineName, message }: EngineError): boolean =>
  engineName === "SYNTAX_ERROR" && message.includes("Syntax error (data type)")

const toAbortFault = (reason: unknown): AppError =>
  reason instanceof AppError
    ? reason
    : new AppError((reason as Error | undefined)?.name === "TimeoutError" ? "query_timeout" : "query_cancelled")
