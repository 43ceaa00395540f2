import type { Json, JsonObject } from "../../../kernel/json.js"
import { checkRetentionDays, type RetentionSetting, readRetentionDays } from "../../../kernel/retention-days.js"

const SETTING: RetentionSetting = { name: "event_retention_days", defaultDays: null }

/** Checks the setting. @throws AppError invalid_input. */
export const EVENT_RETENTION_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [SETTING.name]: (value) => checkRetentionDays(SETTING, value),
}

/** Days for which a project keeps events: its setting; null, which is for ever, when unset. */
export const toEventRetentionDays = (settings: JsonObject): number | null => readRetentionDays(SETTING, settings)
