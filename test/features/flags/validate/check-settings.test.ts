import { describe, expect, test } from "@jest/globals"
import { FLAG_SETTING_CHECKS } from "../../../../src/features/flags/index.js"
import type { Json } from "../../../../src/kernel/json.js"

const check = (setting: string, value: Json) => () => FLAG_SETTING_CHECKS[setting]?.(value)

describe("settings that SDKs are told of", () => {
  test.each<[string, Json]>([
    ["session_recording", true],
    ["session_recording", false],
    ["session_recording", { sampleRate: "0.5" }],
    ["autocapture_opt_out", true],
    ["feature_flag_request_limit", 0],
    ["feature_flag_request_limit", 1_000_000],
  ])("%s may be %j", (setting, value) => {
    expect(check(setting, value)).not.toThrow()
  })

  test.each<[string, Json]>([
    ["session_recording", "off"],
    ["session_recording", 0],
    ["session_recording", []],
    ["autocapture_opt_out", "true"],
    ["feature_flag_request_limit", -1],
    ["feature_flag_request_limit", "100"],
  ])("%s cannot be %j, and the fault names it", (setting, value) => {
    expect(check(setting, value)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: expect.objectContaining({ attr: `settings__${setting}` }),
      }),
    )
  })
})
