import { compileLinearRegex, RegexFault } from "../../flag-engine/index.js"
import { AppError } from "../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../kernel/json.js"
import type { PathCleaningRuleType } from "./path-cleaning.graphql.js"

/** Project setting: a list of `{regex, alias, order}` (`docs/contract/queries.md#path-cleaning`). */
export const PATH_CLEANING_SETTING = "path_cleaning_filters"

const MAX_RULES = 50
const MAX_CHARACTERS = 1_000
const FIELDS: readonly string[] = ["regex", "alias", "order"]

/** What in a path is written as something else. */
export type PathCleaningRule = Readonly<PathCleaningRuleType>

/** Checks the setting. @throws AppError invalid_input naming the rule at fault, its field and what it must be. */
export function checkPathCleaning(rules: Json): void {
  if (!Array.isArray(rules)) throw refuse([], "must be a list")
  if (rules.length > MAX_RULES) throw refuse([], `must have at most ${MAX_RULES} items`)
  for (const [index, rule] of rules.entries()) checkRule(rule, String(index))
}

function checkRule(rule: Json, index: string): void {
  if (!isJsonObject(rule)) throw refuse([index], "must be an object")
  const unknown = Object.keys(rule).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) throw refuse([index, unknown], `is not a field of a rule, which has ${FIELDS.join(", ")}`)
  const { regex, alias = null, order = null } = rule
  if (typeof regex !== "string" || regex === "") throw refuse([index, "regex"], "is required and must be a text")
  if (alias !== null && typeof alias !== "string") throw refuse([index, "alias"], "must be a text")
  for (const [name, text] of Object.entries({ regex, alias }))
    if ((text ?? "").length > MAX_CHARACTERS)
      throw refuse([index, name], `must have no more than ${MAX_CHARACTERS} characters`)
  if (order !== null && typeof order !== "number") throw refuse([index, "order"], "must be a number")
  const groups = countGroups(regex, index)
  const missing = listGroupsNamed(alias ?? "").find((group) => group > groups)
  if (missing !== undefined)
    throw refuse([index, "alias"], `names group ${missing}, but the regular expression has ${groups}`)
}

/** Of an expression that the engine of queries can read. */
function countGroups(regex: string, index: string): number {
  try {
    return compileLinearRegex(regex).groupCount
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error
    throw refuse([index, "regex"], `is not a usable regular expression: ${error.message}`)
  }
}

/** Numbers of groups whose text an alias takes over; `\\` is a backslash. */
const listGroupsNamed = (alias: string): number[] =>
  [...alias.matchAll(/\\([\s\S])/g)].flatMap(([, next = ""]) => (/^[0-9]$/.test(next) ? [Number(next)] : []))

const refuse = (path: readonly string[], rule: string): AppError => {
  const attr = [PATH_CLEANING_SETTING, ...path].join("__")
  return new AppError("invalid_input", { attr, detail: `${attr} ${rule}.` })
}

/** The rules in a project's settings, those with the smallest `order` first; one without it is ordered by its place. */
export function readPathCleaning(settings: JsonObject): PathCleaningRule[] {
  const rules = settings[PATH_CLEANING_SETTING]
  if (!Array.isArray(rules)) return []
  return rules
    .flatMap((rule, index) => {
      if (!isJsonObject(rule) || typeof rule.regex !== "string" || rule.regex === "") return []
      const alias = typeof rule.alias === "string" ? rule.alias : ""
      return [{ place: typeof rule.order === "number" ? rule.order : index, rule: { regex: rule.regex, alias } }]
    })
    .sort((a, b) => a.place - b.place)
    .map(({ rule }) => rule)
}

/** The rules, in their order, as the setting keeps them. */
export const toPathCleaningSetting = (rules: readonly PathCleaningRule[]): JsonObject => ({
  [PATH_CLEANING_SETTING]: rules.map(({ regex, alias }, order) => ({ regex, alias, order })),
})
