import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { isOpen, STAGES } from "../early-access/early-access.js"
import { type FieldPath, refuse } from "./definition-context.js"

const PATH: FieldPath = ["filters", "early_access"]
const MAX_NAME_LENGTH = 200
const MAX_TEXT_LENGTH = 1_000

/**
 * Checks what a definition says of the feature that users may switch on for themselves, and makes enrolment follow its
 * stage (`docs/contract/flags.md#early-access-features`). Null takes the feature away.
 * @throws AppError invalid_input naming the exact field.
 */
export function withEarlyAccess({ early_access: given, ...filters }: JsonObject): JsonObject {
  if (given === undefined) return filters
  if (given === null) return { ...filters, feature_enrollment: false }
  if (!isJsonObject(given)) throw refuse(PATH, "must be an object or null")
  const name = readText(given.name, "name", MAX_NAME_LENGTH)
  if (name.trim() === "") throw refuse([...PATH, "name"], "must not be empty")
  const stage = STAGES.find((known) => known === (given.stage ?? "beta"))
  if (stage === undefined) throw refuse([...PATH, "stage"], `must be one of ${STAGES.join(", ")}`)
  const feature = {
    name,
    description: readText(given.description ?? "", "description", MAX_TEXT_LENGTH),
    stage,
    documentation_url: readUrl(given.documentation_url ?? null),
  }
  return { ...filters, early_access: feature, feature_enrollment: isOpen(stage) }
}

function readText(value: Json | undefined, field: string, max: number): string {
  if (typeof value !== "string") throw refuse([...PATH, field], "must be text")
  if (value.length > max) throw refuse([...PATH, field], `must not be longer than ${max} characters`)
  return value
}

/** It becomes a link in other people's pages, so it must not be a script. */
function readUrl(value: Json): string | null {
  if (value === null || value === "") return null
  const url = readText(value, "documentation_url", MAX_TEXT_LENGTH)
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw refuse([...PATH, "documentation_url"], "must be an address that begins with http:// or https://")
}
