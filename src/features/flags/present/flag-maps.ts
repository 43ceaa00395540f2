import type { FlagResult, ResultText } from "../../../flag-engine/index.js"
import type { FlagFormat } from "./response-version.js"

/**
 * The flag part of an answer as members of a JSON object (`docs/contract/flags.md#response-versions`). A flag that
 * failed is left out of every format but the detailed one, because clients overwrite what they have with whatever a map
 * says (`docs/contract/flags.md#failed-flags`).
 */
export function presentFlags(format: FlagFormat, results: readonly FlagResult[], hasErrors: boolean): string {
  switch (format) {
    case "keys":
      return `"featureFlags":[${joined(results.filter(isOn), ({ key }) => key)}]`
    case "enabled":
      return `"featureFlags":{${joined(results.filter(isOn), ({ value }) => value)}}`
    case "values":
      return `${valuesAndPayloads(results)},"errorsWhileComputingFlags":${hasErrors}`
    case "details":
      return `"flags":{${joined(results, ({ detail }) => detail)}},"errorsWhileComputingFlags":${hasErrors}`
  }
}

const isOn = (result: FlagResult): boolean => result.error === null && result.enabled

function joined(results: readonly FlagResult[], show: (text: ResultText) => string): string {
  let members = ""
  for (const result of results) members = withNext(members, show(result.text))
  return members
}

function valuesAndPayloads(results: readonly FlagResult[]): string {
  let values = ""
  let payloads = ""
  for (let index = 0; index < results.length; index++) {
    const result = results[index] as FlagResult
    if (result.error !== null) continue
    const { value, payload } = result.text
    values = withNext(values, value)
    if (payload !== null) payloads = withNext(payloads, payload)
  }
  return `"featureFlags":{${values}},"featureFlagPayloads":{${payloads}}`
}

/** Each text begins with the comma that the first one does without. */
const withNext = (members: string, text: string): string => (members === "" ? text.slice(1) : members + text)
