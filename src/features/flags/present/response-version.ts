/** The endpoint a decision came in by; it selects among the response formats. */
export type DecidePath = "decide" | "flags"

/** How flags are shown: keys of enabled ones, map of enabled ones, full map with payloads, or detail objects. */
export type FlagFormat = "keys" | "enabled" | "values" | "details"

/** What a response of one version of the wire holds. */
export interface ResponseShape {
  readonly format: FlagFormat
  /** Whether project configuration goes along. */
  readonly withConfig: boolean
}

const FALSE_WORDS = new Set(["false", "0", "no", "off"])

/** Reads `v` and `config` of the query (`docs/contract/flags.md#decision-parameters`). */
export function readResponseShape(path: DecidePath, query: Readonly<Record<string, unknown>>): ResponseShape {
  const version = readVersion(query.v ?? query.version, path)
  const config = query.config === undefined ? null : !FALSE_WORDS.has(String(query.config).toLowerCase())
  if (path === "flags") {
    if (version === null && config === null) return { format: "details", withConfig: true }
    return { format: (version ?? 1) >= 2 ? "details" : "values", withConfig: config ?? false }
  }
  return { format: decideFormat(version ?? 1), withConfig: config ?? true }
}

function decideFormat(version: number): FlagFormat {
  if (version <= 1) return "keys"
  if (version === 2) return "enabled"
  return version === 3 ? "values" : "details"
}

/** Empty is absent. A word is 2 on decide, for posthog-js 1.19.0, which sent one; 1 elsewhere. */
function readVersion(value: unknown, path: DecidePath): number | null {
  if (typeof value !== "string" || value === "") return null
  if (/^[+-]?\d+$/.test(value)) return Number(value)
  return path === "decide" ? 2 : 1
}
