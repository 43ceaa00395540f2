import { compileLinearRegex, RegexFault } from "../../flag-engine/index.js"
import { actionCondition, HogqlError } from "../../hogql/index.js"
import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject, toStorableJson } from "../../kernel/json.js"

const MAX_STEPS = 50
const MAX_TEXT_LENGTH = 1_000
const MAX_STEPS_LENGTH = 100_000
const TEXTS = ["event", "url", "selector", "tag_name", "text", "href"] as const
/** How a text of a step is compared, and what is meant when nothing is said. */
const MATCHINGS = { url_matching: "contains", text_matching: null, href_matching: null } as const
const WAYS: readonly Json[] = ["exact", "contains", "regex"]
const FIELDS: readonly string[] = [...TEXTS, ...Object.keys(MATCHINGS), "properties"]
const NOWHERE = { start: 0, end: 0 }

/**
 * Steps in the form that is stored: every field of each (`docs/contract/queries.md#actions`).
 * @throws AppError invalid_input naming step and field.
 */
export function readSteps(steps: Json): JsonObject[] {
  if (!Array.isArray(steps)) throw refuse(["steps"], "must be a list")
  if (steps.length > MAX_STEPS) throw refuse(["steps"], `must have at most ${MAX_STEPS} items`)
  if (JSON.stringify(steps).length > MAX_STEPS_LENGTH)
    throw refuse(["steps"], `must be at most ${MAX_STEPS_LENGTH} characters of JSON`)
  return steps.map((step, index) => readStep(step, ["steps", index]))
}

type Path = readonly (string | number)[]

function readStep(step: Json, path: Path): JsonObject {
  if (!isJsonObject(step)) throw refuse(path, "must be an object")
  const unknown = Object.keys(step).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined)
    throw refuse([...path, unknown.slice(0, 40)], `is not a field of a step: ${FIELDS.join(", ")}`)
  const texts = TEXTS.map((name) => [name, readText(step[name] ?? null, [...path, name])] as const)
  const matchings = Object.entries(MATCHINGS).map(([name, usual]) => {
    const way = step[name] ?? usual
    if (way !== null && !WAYS.includes(way)) throw refuse([...path, name], `must be one of ${WAYS.join(", ")}`)
    return [name, way] as const
  })
  const read = { ...Object.fromEntries([...texts, ...matchings]), properties: step.properties ?? [] }
  checkPatterns(read, path)
  checkCondition(read, path)
  return toStorableJson(read)
}

function readText(value: Json, path: Path): string | null {
  if (value === null || value === "") return null
  if (typeof value !== "string") throw refuse(path, "must be text")
  if (value.length <= MAX_TEXT_LENGTH) return value
  throw refuse(path, `must be at most ${MAX_TEXT_LENGTH} characters`)
}

function checkPatterns(step: JsonObject, path: Path): void {
  for (const name of ["url", "text", "href"]) {
    const pattern = step[name]
    if (typeof pattern !== "string" || step[`${name}_matching`] !== "regex") continue
    try {
      compileLinearRegex(pattern)
    } catch (error) {
      if (!(error instanceof RegexFault)) throw error
      throw refuse([...path, name], `is not a usable regular expression: ${error.message}`)
    }
  }
}

/** Selector and property filters are read as queries read them. */
function checkCondition(step: JsonObject, path: Path): void {
  for (const name of ["selector", "properties"]) {
    try {
      actionCondition([{ [name]: step[name] }], "events", NOWHERE)
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error
      throw new AppError("invalid_input", { attr: [...path, name].join("__"), detail: error.message, cause: error })
    }
  }
}

const refuse = (path: Path, rule: string): AppError =>
  new AppError("invalid_input", { attr: path.join("__"), detail: `${path.join(".")} ${rule}.` })
