import { INTEGER, TEXT, TIME, UUID } from "../../../kernel/json-schema.js"
import { defineResource } from "./resource.js"

/** A log record of a plugin configuration. */
export const PLUGIN_LOG = defineResource(["PluginLogEntry", "PluginLogEntry"], {
  id: { schema: UUID },
  team_id: { schema: INTEGER, from: "projectId" },
  plugin_id: { schema: INTEGER },
  plugin_config_id: { schema: INTEGER },
  timestamp: { schema: TIME },
  source: { schema: TEXT },
  type: { schema: TEXT },
  message: { schema: TEXT },
  instance_id: { schema: UUID },
})
