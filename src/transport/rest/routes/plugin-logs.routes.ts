import { AppError } from "../../../kernel/errors.js"
import { defineRoutes } from "../define-route.js"
import { defineQuery } from "../query-parameters.js"
import { readTime } from "../read-query.js"
import { PLUGIN_LOG } from "../resources/plugin-log.js"
import type { RestRoute } from "../rest-route.types.js"

const TYPES = ["DEBUG", "LOG", "INFO", "WARN", "ERROR"]

/** This one list refuses a `limit` that others would ignore (`docs/contract/management.md#plugin-logs`). */
function checkLimit(query: URLSearchParams): void {
  const limit = query.get("limit")
  if (limit !== null && !/^[+-]?\d+$/.test(limit.trim()))
    throw new AppError("invalid_input", { detail: "Query param limit must be omitted or an integer!" })
}

function readTypes(query: URLSearchParams): string[] | undefined {
  const types = query.getAll("type_filter")
  const unknown = types.find((type) => !TYPES.includes(type))
  if (unknown !== undefined)
    throw new AppError("invalid_choice", { attr: "type_filter", detail: `Filter by types among: ${TYPES.join(", ")}.` })
  return types.length === 0 ? undefined : types
}

const FILTERS = defineQuery(
  {
    after: { description: "Strictly later than this time.", read: readTime },
    before: { description: "Strictly earlier than this time.", read: readTime },
    search: { description: "Part of the message, any case." },
    type_filter: { description: `One of ${TYPES.join(", ")}; may be repeated.`, as: "types", read: readTypes },
  },
  "filter",
)

const { list } = defineRoutes({
  path: "/api/environments/:project_id/plugin_configs/:plugin_config_id/logs",
  scope: "plugin",
  source: "docs/contract/management.md#plugin-logs",
})

/** Row of `docs/contract/management.md#plugin-logs`. */
export const pluginLogRoutes: readonly RestRoute[] = [
  list({
    id: "plugin_configs_logs_list",
    on: "GET",
    field: "pluginLogs",
    resource: PLUGIN_LOG,
    query: FILTERS,
    variables: (request) => {
      checkLimit(request.query)
      return FILTERS.read(request)
    },
    summary: "List the log records of a plugin configuration, newest first.",
  }),
]
