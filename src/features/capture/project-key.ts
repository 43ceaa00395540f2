import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"

const MAX_KEY_LENGTH = 64
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is a member of ASCII and has its own reason.
const ASCII = /^[\u0000-\u007f]*$/

const invalidKey = (reason: string, detail: string): AppError =>
  new AppError("invalid_project_key", { attr: "api_key", detail: `API key is not valid (${reason}): ${detail}` })

/**
 * Checks the form of a project key and returns it without white space around it
 * (`docs/contract/capture.md#project-keys`).
 * @throws AppError invalid_project_key that names what is wrong.
 */
export function checkProjectKey(key: string): string {
  const trimmed = key.trim()
  if (trimmed === "") throw invalidKey("empty", "it has no characters.")
  if (trimmed.length > MAX_KEY_LENGTH) throw invalidKey("too_long", `it has more than ${MAX_KEY_LENGTH} characters.`)
  if (!ASCII.test(trimmed)) throw invalidKey("not_ascii", "it has characters that no key has.")
  if (trimmed.includes("\u0000")) throw invalidKey("null_byte", "it has a NUL character.")
  if (trimmed.startsWith("phx_"))
    throw invalidKey("personal_api_key", "events need the project API key, which begins with phc_.")
  return trimmed
}

/**
 * The key that an envelope or an event names in `api_key`, `token` or `$token`; null when it names none.
 * @throws AppError invalid_project_key when a key is no text, or when two of them differ.
 */
export function readKey(holder: JsonObject): string | null {
  let found: string | null = null
  for (const candidate of [holder.api_key, holder.token, holder.$token]) {
    if (candidate === undefined || candidate === null) continue
    if (typeof candidate !== "string") throw invalidKey("not_string", "it must be text.")
    if (found !== null && found !== candidate) throw inconsistentKeys()
    found = candidate
  }
  return found
}

/**
 * The one key of a list of events: each may name it at its own level, or posthog-js's way in `properties.token`.
 * @throws AppError invalid_project_key when events name different keys.
 */
export function readSharedKey(items: readonly Json[]): string | null {
  let common: string | null = null
  for (const item of items) {
    if (!isJsonObject(item)) continue
    const key = readKey(item) ?? keyInProperties(item)
    if (key === null) continue
    if (common !== null && common !== key) throw inconsistentKeys()
    common = key
  }
  return common
}

function keyInProperties({ properties }: JsonObject): string | null {
  if (!isJsonObject(properties)) return null
  return typeof properties.token === "string" ? properties.token : null
}

const inconsistentKeys = (): AppError =>
  new AppError("invalid_project_key", {
    attr: "api_key",
    detail: "The request has inconsistent api_key values. Send the events of each project in their own request.",
  })
