import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject, toStorableText } from "../../../kernel/json.js"
import { type QueryObject, type QueryRequest, REFRESH_MODES, type RefreshMode } from "../queries.types.js"
import { applyOverrides } from "./apply-overrides.js"

/** What a caller sent, GraphQL or REST, before any check. */
export interface RawQueryRequest {
  readonly query: Json
  readonly clientQueryId?: string | null
  readonly refresh?: Json
  readonly async?: boolean | null
  readonly filtersOverride?: Json
  readonly variablesOverride?: Json
}

/** Nodes that only say how an answer is shown; their `source` is what runs. */
const DISPLAY_KINDS = new Set(["DataTableNode", "DataVisualizationNode", "InsightVizNode"])
const MAX_ID_LENGTH = 200

/**
 * Checks a query request.
 * @throws AppError parse_error (query object of the wrong shape), invalid_choice (refresh), max_length (client_query_id).
 */
export function toQueryRequest(raw: RawQueryRequest): QueryRequest {
  const clientQueryId = raw.clientQueryId || null
  if (clientQueryId !== null && clientQueryId.length > MAX_ID_LENGTH)
    throw new AppError("max_length", {
      attr: "client_query_id",
      detail: `Ensure this field has no more than ${MAX_ID_LENGTH} characters.`,
    })
  if (clientQueryId !== null && toStorableText(clientQueryId) !== clientQueryId)
    throw new AppError("invalid_input", {
      attr: "client_query_id",
      detail: "Ensure this field is text without NUL characters and lone surrogates.",
    })
  const query = applyOverrides(toQueryObject(raw.query), raw.filtersOverride, raw.variablesOverride)
  return { query, clientQueryId, refresh: toRefreshMode(raw) }
}

function toQueryObject(query: Json): QueryObject {
  if (!isJsonObject(query)) throw unfit("query must be an object with a kind.")
  if (typeof query.kind !== "string" || query.kind === "") throw unfit("query.kind must be the name of a query kind.")
  if (DISPLAY_KINDS.has(query.kind)) return toQueryObject((query as JsonObject).source ?? null)
  return query as QueryObject
}

const unfit = (rule: string): AppError =>
  new AppError("parse_error", {
    attr: "query",
    detail: `JSON parse error - 1 validation error(s) for QueryRequest: ${rule}`,
  })

/** `async: true` is the old way to write `refresh: "async"`; booleans for refresh are older still. */
function toRefreshMode(raw: RawQueryRequest): RefreshMode {
  const { refresh } = raw
  if (refresh === true) return "force_blocking"
  if (refresh == null || refresh === false) return raw.async === true ? "async" : "blocking"
  const mode = REFRESH_MODES.find((known) => known === refresh)
  if (mode !== undefined) return mode
  const shown = typeof refresh === "string" ? refresh.slice(0, 40) : JSON.stringify(refresh).slice(0, 40)
  throw new AppError("invalid_choice", {
    attr: "refresh",
    detail: `"${shown}" is not a valid choice. Use one of: ${REFRESH_MODES.join(", ")}.`,
  })
}
