import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import { APPROVAL_SETTING } from "../approval/needs-approval.js"

const requires =
  (setting: string, isRight: (value: Json) => boolean, rule: string) =>
  (value: Json): void => {
    if (!isRight(value))
      throw new AppError("invalid_input", { attr: `settings__${setting}`, detail: `${setting} ${rule}.` })
  }

const isSwitch = (value: Json): boolean => typeof value === "boolean"

/** Settings that SDKs are told of, or that flags are counted by. A word such as "off" would silently mean on. */
export const FLAG_SETTING_CHECKS: Readonly<Record<string, (value: Json) => void>> = {
  session_recording: requires(
    "session_recording",
    (value) => isSwitch(value) || isJsonObject(value),
    "must be true, false or an object of options",
  ),
  autocapture_opt_out: requires("autocapture_opt_out", isSwitch, "must be true or false"),
  [APPROVAL_SETTING]: requires(APPROVAL_SETTING, isSwitch, "must be true or false"),
  feature_flag_request_limit: requires(
    "feature_flag_request_limit",
    (value) => typeof value === "number" && value >= 0,
    "must be a number of requests from 0",
  ),
}
