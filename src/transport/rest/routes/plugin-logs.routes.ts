import { defineUnbuilt } from "../define-route.js"
import type { RestRoute } from "../rest-route.types.js"
import { PAGING_PARAMETERS } from "../schemas.js"

/** Row of `interface.md`, "Plugin configuration logs". */
export const pluginLogRoutes: readonly RestRoute[] = [
  defineUnbuilt({
    id: "plugin_configs_logs_list",
    method: "GET",
    path: "/api/environments/:project_id/plugin_configs/:plugin_config_id/logs",
    scope: "plugin:read",
    doc: {
      summary: "List the log records of a plugin configuration.",
      source: "interface.md, Plugin configuration logs",
      query: PAGING_PARAMETERS,
    },
  }),
]
