import { AppError } from "../../../kernel/errors.js"
import { INTEGER, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"
import { defineRoute } from "../define-route.js"
import { toEnvelope } from "../paging-links.js"
import { readText, readTime, readWindow } from "../read-query.js"
import type { RestRequest, RestRoute } from "../rest-route.types.js"
import { envelopeOf, PAGING_PARAMETERS } from "../schemas.js"

const TYPES = ["DEBUG", "LOG", "INFO", "WARN", "ERROR"]
const UUID = { type: "string", format: "uuid" }

interface LogData {
  readonly id: string
  readonly projectId: number
  readonly pluginId: number
  readonly pluginConfigId: number
  readonly timestamp: string
  readonly source: string
  readonly type: string
  readonly message: string
  readonly instanceId: string
}

const toWireLog = (entry: LogData) => ({
  id: entry.id,
  team_id: entry.projectId,
  plugin_id: entry.pluginId,
  plugin_config_id: entry.pluginConfigId,
  timestamp: entry.timestamp,
  source: entry.source,
  type: entry.type,
  message: entry.message,
  instance_id: entry.instanceId,
})

/** This one list refuses a `limit` that others would ignore (`management.md` section 6). */
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

function toVariables({ params, query, receivedAtMs }: RestRequest) {
  checkLimit(query)
  return {
    ...{ projectId: params.project_id, pluginConfigId: params.plugin_config_id },
    ...readWindow(query).variables,
    filter: {
      after: readTime(query, "after", receivedAtMs),
      before: readTime(query, "before", receivedAtMs),
      search: readText(query, "search"),
      types: readTypes(query),
    },
  }
}

/** Row of `interface.md`, "Plugin configuration logs". */
export const pluginLogRoutes: readonly RestRoute[] = [
  defineRoute({
    id: "plugin_configs_logs_list",
    method: "GET",
    path: "/api/environments/:project_id/plugin_configs/:plugin_config_id/logs",
    scope: "plugin:read",
    body: "none",
    operation: `query ($projectId: ID!, $pluginConfigId: ID!, $first: Int, $offset: Int, $filter: PluginLogFilter) {
      page: pluginLogs(projectId: $projectId, pluginConfigId: $pluginConfigId, first: $first, offset: $offset, filter: $filter) {
        totalCount nodes { id projectId pluginId pluginConfigId timestamp source type message instanceId } } }`,
    variables: toVariables,
    reply: ({ page }: { page: { totalCount: number; nodes: LogData[] } }, request) => ({
      status: 200,
      body: toEnvelope(request, readWindow(request.query), page.totalCount, page.nodes.map(toWireLog)),
    }),
    statuses: [200],
    doc: {
      summary: "List the log records of a plugin configuration, newest first.",
      source: "interface.md, Plugin configuration logs",
      query: [
        ...PAGING_PARAMETERS,
        { name: "after", description: "Strictly later than this time.", schema: TEXT },
        { name: "before", description: "Strictly earlier than this time.", schema: TEXT },
        { name: "search", description: "Part of the message, any case.", schema: TEXT },
        { name: "type_filter", description: `One of ${TYPES.join(", ")}; may be repeated.`, schema: TEXT },
      ],
      responseSchema: envelopeOf(
        objectOf({
          ...{ id: UUID, team_id: INTEGER, plugin_id: INTEGER, plugin_config_id: INTEGER, timestamp: TIME },
          ...{ source: TEXT, type: TEXT, message: TEXT, instance_id: UUID },
        }),
      ),
    },
  }),
]
