import { AppError } from "../../../kernel/errors.js"
import type { Json, JsonObject } from "../../../kernel/json.js"

/** Project setting: a boolean (`docs/contract/capture.md#projects-that-keep-no-addresses`). */
const SETTING = "anonymize_ips"

/** Checks the setting. @throws AppError invalid_input for what is no boolean. */
export const ANONYMIZE_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [SETTING]: (value) => {
    if (typeof value === "boolean") return
    throw new AppError("invalid_input", { attr: `settings__${SETTING}`, detail: `${SETTING} must be true or false.` })
  },
}

/** Whether a project keeps no addresses of those who send events. */
export const anonymizesIps = (settings: JsonObject | undefined): boolean => settings?.[SETTING] === true
