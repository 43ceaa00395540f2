import type { FlagFormat } from "../decide/response-version.js"
import type { FlagResult, ResultText } from "../evaluate/evaluation.types.js"
import { textOf } from "./result-text.js"

/**
 * The flag part of an answer as members of a JSON object (`reference/flags.md` 3.1). A flag that failed is left out of every
 * format but the detailed one, because clients overwrite what they have with whatever a map says (`decisions.md`).
 */
export function presentFlags(format: FlagFormat, results: readonly FlagResult[], hasErrors: boolean): string {
  switch (format) {
    case "keys":
      return `"featureFlags":[${joined(results, (text, result) => (isOn(result) ? text.key : null))}]`
    case "enabled":
      return `"featureFlags":{${joined(results, (text, result) => (isOn(result) ? text.value : null))}}`
    case "values": {
      const values = joined(results, (text, { error }) => (error === null ? text.value : null))
      const payloads = joined(results, (text, { error }) => (error === null ? text.payload : null))
      return `"featureFlags":{${values}},"featureFlagPayloads":{${payloads}},"errorsWhileComputingFlags":${hasErrors}`
    }
    case "details":
      return `"flags":{${joined(results, (text) => text.detail)}},"errorsWhileComputingFlags":${hasErrors}`
  }
}

const isOn = (result: FlagResult): boolean => result.error === null && result.enabled

/** The texts of those results that are to be shown, with commas between. */
function joined(results: readonly FlagResult[], show: (text: ResultText, result: FlagResult) => string | null): string {
  let members = ""
  for (const result of results) {
    const shown = show(textOf(result), result)
    if (shown !== null) members += members === "" ? shown : `,${shown}`
  }
  return members
}
