import type { Json, JsonObject } from "../../kernel/json.js"
import { checkRetentionDays, type RetentionSetting, readRetentionDays } from "../../kernel/retention-days.js"

const PLUGIN_LOG_RETENTION: RetentionSetting = { name: "plugin_log_retention_days", defaultDays: 90 }

/** Checks the setting. @throws AppError invalid_input. */
export const PLUGIN_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [PLUGIN_LOG_RETENTION.name]: (value) => checkRetentionDays(PLUGIN_LOG_RETENTION, value),
}

/** Days for which a project keeps the logs of its plugins: its setting; 90 when unset, null for ever. */
export const toPluginLogRetentionDays = (settings: JsonObject): number | null =>
  readRetentionDays(PLUGIN_LOG_RETENTION, settings)
