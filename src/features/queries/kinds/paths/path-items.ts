import { type Expression, nodes, parseExpression } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"

const { call, compare, constant, field } = nodes

const EVENT_TYPES = ["$pageview", "$screen", "custom_event", "hogql"]
const MAX_GROUPINGS = 50

/** The step an event is: its page, its screen, its name, or an expression; "" for events that are none. */
export function readItem(filter: QueryReader): Expression {
  const types = filter.strings("includeEventTypes") ?? []
  const unknown = types.find((type) => !EVENT_TYPES.includes(type))
  if (unknown !== undefined) throw filter.fault("includeEventTypes", `must hold only: ${EVENT_TYPES.join(", ")}`)
  return grouped(cleaned(readPlainItem(filter, types), filter), filter)
}

/** `localPathCleaningFilters`: parts of a step that fit an expression are written as its alias. */
const cleaned = (item: Expression, filter: QueryReader): Expression =>
  filter
    .objects("localPathCleaningFilters", { max: MAX_GROUPINGS })
    .reduce(
      (text, rule) =>
        call("replaceRegexpAll", [text, constant(rule.requiredText("regex")), constant(rule.text("alias") ?? "")]),
      item,
    )

/** `pathGroupings`: every step that fits a pattern, `*` for anything, becomes one under the pattern's name. */
function grouped(item: Expression, filter: QueryReader): Expression {
  const patterns = filter.strings("pathGroupings", { max: MAX_GROUPINGS }) ?? []
  if (patterns.length === 0) return item
  const branches = patterns.flatMap((pattern) => [
    compare("like", item, constant(pattern.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%"))),
    constant(pattern),
  ])
  return call("multiIf", [...branches, item])
}

function readPlainItem(filter: QueryReader, types: readonly string[]): Expression {
  const wants = (type: string) => types.length === 0 || types.includes(type)
  const written = filter.text("pathsHogQLExpression")
  if (types.includes("hogql") && written !== null)
    return call("ifNull", [call("toString", [parseExpression(written)]), constant("")])
  const isEvent = (name: string) => compare("==", field(["event"]), constant(name))
  const text = (name: string) => call("ifNull", [call("toString", [field(["properties", name])]), constant("")])
  const page = call("if", [
    compare(">", call("length", [text("$current_url")]), constant(1)),
    call("replaceRegexpOne", [text("$current_url"), constant("(.)/$"), constant("\\1")]),
    text("$current_url"),
  ])
  const isOwn = call("not", [call("startsWith", [field(["event"]), constant("$")])])
  return call("multiIf", [
    isEvent("$pageview"),
    wants("$pageview") ? page : constant(""),
    isEvent("$screen"),
    wants("$screen") ? text("$screen_name") : constant(""),
    ...(types.length === 0
      ? [field(["event"])]
      : [isOwn, wants("custom_event") ? field(["event"]) : constant(""), constant("")]),
  ])
}
