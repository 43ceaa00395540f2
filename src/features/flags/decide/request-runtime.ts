import type { EvaluationRuntime } from "../../../flag-engine/index.js"
import type { Json } from "../../../kernel/json.js"
import { type RequestHeaders, readHeader } from "../../../kernel/request-headers.js"

const BROWSER_WORD = /Mozilla\/|Chrome\/|Safari\/|Firefox\/|Edge\//
const SERVER_SDK = /^posthog-(?:python|ruby|php|java|go|node|dotnet|elixir)\/|python-requests\/|curl\//
const MOBILE_SDK = /^posthog-(?:android|ios|react-native|flutter)\//
const BROWSER_HEADERS = ["origin", "referer", "sec-fetch-mode", "sec-fetch-site"]

/**
 * Where the caller runs (`docs/contract/flags.md#considered-flags`): what the body says, else what User-Agent and
 * browser headers tell; null when nothing does. A word nobody knows means `all`.
 */
export function requestRuntime(stated: Json | undefined, headers: RequestHeaders): EvaluationRuntime | null {
  if (typeof stated === "string") {
    const word = stated.toLowerCase()
    return word === "client" || word === "server" ? word : "all"
  }
  const agent = readHeader(headers, "user-agent") ?? ""
  if (BROWSER_WORD.test(agent)) return "client"
  if (SERVER_SDK.test(agent)) return "server"
  if (MOBILE_SDK.test(agent) || BROWSER_HEADERS.some((name) => headers[name] !== undefined)) return "client"
  return null
}
