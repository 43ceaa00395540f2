import { cleanPath, type Expression, nodes, type PathCleaningRule, parseExpression } from "../../../../hogql/index.js"
import { joinWithOr, toContainsPattern } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"

const { call, compare, constant, field, not, tuple } = nodes

const EVENT_TYPES = ["$pageview", "$screen", "custom_event", "hogql"]
const MAX_GROUPINGS = 50
const MAX_EXCLUDED = 100

/**
 * The step an event is: its page, its screen, its name, or an expression; "" for events that are none.
 * @param projectRules for `pathReplacements`; they come before those of the query
 */
export function readItem(filter: QueryReader, projectRules: readonly PathCleaningRule[]): Expression {
  const types = filter.strings("includeEventTypes") ?? []
  const unknown = types.find((type) => !EVENT_TYPES.includes(type))
  if (unknown !== undefined) throw filter.fault("includeEventTypes", `must hold only: ${EVENT_TYPES.join(", ")}`)
  const rules = [...(filter.flag("pathReplacements") ? projectRules : []), ...readCleaning(filter)]
  return grouped(cleanPath(readPlainItem(filter, types), rules), filter)
}

/** `localPathCleaningFilters`: parts of a step that fit an expression are written as its alias. */
const readCleaning = (filter: QueryReader): PathCleaningRule[] =>
  filter
    .objects("localPathCleaningFilters", { max: MAX_GROUPINGS })
    .map((rule) => ({ regex: rule.requiredText("regex"), alias: rule.text("alias") ?? "" }))

/** `pathGroupings`: every step that holds a pattern becomes one under the pattern's name. */
function grouped(item: Expression, filter: QueryReader): Expression {
  const patterns = filter.strings("pathGroupings", { max: MAX_GROUPINGS }) ?? []
  if (patterns.length === 0) return item
  const branches = patterns.flatMap((pattern) => [holds(item, pattern), constant(pattern)])
  return call("multiIf", [...branches, item])
}

/** Whether a text holds a pattern anywhere, in which `*` stands for anything. */
const holds = (text: Expression, pattern: string): Expression =>
  compare("like", text, constant(toContainsPattern(pattern).replaceAll("*", "%")))

/** `excludeEvents`: names of steps, and patterns with `*` that a step may hold anywhere; null when nothing is left out. */
export function readExclusions(item: Expression, filter: QueryReader): Expression | null {
  const excluded = filter.strings("excludeEvents", { max: MAX_EXCLUDED }) ?? []
  const [patterns, names] = [true, false].map((isPattern) =>
    excluded.filter((name) => name.includes("*") === isPattern),
  )
  const conditions = [
    ...(names?.length ? [compare("in", item, tuple((names ?? []).map((name) => constant(name))))] : []),
    ...(patterns ?? []).map((pattern) => holds(item, pattern)),
  ]
  return conditions.length === 0 ? null : not(joinWithOr(conditions))
}

/** A page or screen by its own name, other events by theirs or by `pathsHogQLExpression`; "" for those not asked for. */
function readPlainItem(filter: QueryReader, types: readonly string[]): Expression {
  const wants = (type: string) => types.length === 0 || types.includes(type)
  const isEvent = (name: string) => compare("==", field(["event"]), constant(name))
  const toText = (value: Expression) => call("ifNull", [call("toString", [value]), constant("")])
  const written = wants("hogql") ? filter.text("pathsHogQLExpression") : null
  const other = written === null ? field(["event"]) : toText(parseExpression(written))
  const url = toText(field(["properties", "$current_url"]))
  const page = call("if", [
    compare(">", call("length", [url]), constant(1)),
    call("replaceRegexpOne", [url, constant("(.)/$"), constant("\\1")]),
    url,
  ])
  const item = call("multiIf", [
    isEvent("$pageview"),
    wants("$pageview") ? page : other,
    isEvent("$screen"),
    wants("$screen") ? toText(field(["properties", "$screen_name"])) : other,
    other,
  ])
  const named = types.filter((type) => type !== "hogql")
  if (named.length === 0) return item
  const isOwn = not(call("startsWith", [field(["event"]), constant("$")]))
  const isWanted = joinWithOr(named.map((type) => (type === "custom_event" ? isOwn : isEvent(type))))
  return call("if", [isWanted, item, constant("")])
}
