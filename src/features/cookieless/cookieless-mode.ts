import { AppError } from "../../kernel/errors.js"
import type { Json, JsonObject } from "../../kernel/json.js"
import type { CookielessMode } from "./cookieless.types.js"

/** Project setting: one of `MODES`. */
const SETTING = "cookieless_mode"
const MODES: readonly CookielessMode[] = ["stateful", "stateless", "off"]

/** An SDK that is pointed here unchanged works as its user expects, and nothing that it sends is lost (decision 0038). */
const DEFAULT_MODE: CookielessMode = "stateful"

/** Checks the setting. @throws AppError invalid_input for what is no mode. */
export const COOKIELESS_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  [SETTING]: (value) => {
    if (MODES.some((mode) => mode === value)) return
    const detail = `${SETTING} must be one of ${MODES.join(", ")}.`
    throw new AppError("invalid_input", { attr: `settings__${SETTING}`, detail })
  },
}

/** What a project makes of events without cookies. */
export const readCookielessMode = (settings: JsonObject | undefined): CookielessMode =>
  MODES.find((mode) => mode === settings?.[SETTING]) ?? DEFAULT_MODE
