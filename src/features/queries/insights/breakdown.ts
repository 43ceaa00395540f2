import { cleanPath, type Expression, nodes, type PathCleaningRule, parseExpression } from "../../../hogql/index.js"
import type { Json } from "../../../kernel/json.js"
import { propertyField } from "./property-conditions.js"
import type { QueryReader } from "./query-reader.js"

const { array, call, compare, constant, field, lambda } = nodes

/** Values that clients know: no value, and every value beyond the limit. */
export const NULL_BREAKDOWN = "$$_posthog_breakdown_null_$$"
export const OTHER_BREAKDOWN = "$$_posthog_breakdown_other_$$"

/** What an insight is broken down by. */
export interface Breakdown {
  /** The value of an event as text, or a list of texts when there are several breakdowns. */
  readonly expression: Expression
  /** For cohorts, where an event has any number of values: the list of them, which `expression` unfolds into rows; else null. */
  readonly list: Expression | null
  readonly limit: number
  /** Whether values beyond the limit are left out instead of shown as one. */
  readonly hidesOther: boolean
  readonly isMultiple: boolean
  /** Whether the value is a property of a group. */
  readonly isOfGroup: boolean
}

const TYPES = ["event", "person", "group", "session", "hogql", "cohort", "event_metadata"] as const
const MAX_LIMIT = 1000
const MAX_BREAKDOWNS = 5
const MAX_BINS = 100
/** All cohorts that are named are shown. */
const MAX_COHORTS = 100

/** Finds where a number's bins begin and end: one more edge than bins, going up; none when there is no value. */
export type FindEdges = (value: Expression, binCount: number) => Promise<readonly number[]>

/**
 * `breakdownFilter` of an insight; null when there is none.
 *
 * @param projectRules for `breakdown_path_cleaning`, which cleans every value that is a text
 * @param findEdges for numbers in bins; without it they are refused
 * @throws AppError parse_error naming the field, HogqlError for expressions that cannot be read.
 */
export async function readBreakdown(
  query: QueryReader,
  projectRules: readonly PathCleaningRule[],
  findEdges?: FindEdges,
): Promise<Breakdown | null> {
  const reader = query.object("breakdownFilter")
  const limit = reader.integer("breakdown_limit", { min: 1, max: MAX_LIMIT }) ?? 25
  const hidesOther = reader.flag("breakdown_hide_other_aggregation")
  const cleans = reader.flag("breakdown_path_cleaning")
  const rules = cleans ? projectRules : []
  const several = reader.objects("breakdowns", { max: MAX_BREAKDOWNS })
  if (several.length > 0) {
    const values = await Promise.all(several.map((item) => readOne(item, rules, findEdges)))
    return { expression: array(values), list: null, limit, hidesOther, isMultiple: true, isOfGroup: false }
  }
  const written = reader.value("breakdown")
  if (written === null) return null
  const type = reader.choice("breakdown_type", TYPES, "event")
  const group = reader.integer("breakdown_group_type_index", { min: 0, max: 4 })
  const ofTexts = ["breakdown_normalize_url", "breakdown_path_cleaning"].find((name) => reader.flag(name))
  if (type === "cohort" && ofTexts !== undefined) throw reader.fault(ofTexts, "has no effect on cohorts")
  if (type === "cohort")
    return { ...readCohorts(reader, written), limit: MAX_COHORTS, hidesOther, isMultiple: false, isOfGroup: false }
  const names = Array.isArray(written) ? written : [written]
  if (names.length > MAX_BREAKDOWNS) throw reader.fault("breakdown", `must have at most ${MAX_BREAKDOWNS} items`)
  const bins = reader.integer("breakdown_histogram_bin_count", { min: 1, max: MAX_BINS })
  const isUrl = readIsUrl(reader, "breakdown_normalize_url", bins)
  if (bins !== null && cleans) throw reader.fault("breakdown_path_cleaning", "cannot be used with bins")
  if (bins !== null && findEdges === undefined)
    throw reader.fault("breakdown_histogram_bin_count", "is only supported in TrendsQuery")
  const values = await Promise.all(
    names.map((name) => {
      if (typeof name !== "string") throw reader.fault("breakdown", "must be a text or a list of texts")
      return bins === null || findEdges === undefined
        ? toText(toProperty(name, type, group), isUrl, rules)
        : binnedText(name, type, group, bins, findEdges)
    }),
  )
  const [only] = values
  if (only === undefined) throw reader.fault("breakdown", "must name a property")
  const expression = values.length === 1 ? only : array(values)
  const isMultiple = values.length > 1
  return { expression, list: null, limit, hidesOther, isMultiple, isOfGroup: type === "group" && !isMultiple }
}

/** For insights without breakdowns: a query that asks for one is refused rather than answered without it. */
export function refuseBreakdown(query: QueryReader): void {
  const reader = query.object("breakdownFilter")
  const isAsked = reader.value("breakdown") !== null || (reader.list("breakdowns") ?? []).length > 0
  if (isAsked)
    throw query.fault("breakdownFilter", "is not supported: only trends, funnels and retentions are told apart")
}

async function readOne(
  reader: QueryReader,
  rules: readonly PathCleaningRule[],
  findEdges?: FindEdges,
): Promise<Expression> {
  const type = reader.choice("type", TYPES, "event")
  const bins = reader.integer("histogram_bin_count", { min: 1, max: MAX_BINS })
  if (type === "cohort") throw reader.fault("type", "cannot be cohort among several breakdowns")
  const [name, group] = [reader.requiredText("property"), reader.integer("group_type_index", { min: 0, max: 4 })]
  const isUrl = readIsUrl(reader, "normalize_url", bins)
  if (bins === null) return toText(toProperty(name, type, group), isUrl, rules)
  if (findEdges === undefined) throw reader.fault("histogram_bin_count", "is only supported in TrendsQuery")
  return binnedText(name, type, group, bins, findEdges)
}

async function binnedText(
  name: string,
  type: string,
  groupTypeIndex: number | null,
  binCount: number,
  findEdges: FindEdges,
): Promise<Expression> {
  const value = call("toFloat", [toProperty(name, type, groupTypeIndex)])
  return toBin(value, await findEdges(value, binCount))
}

/** The bin of a number, written `[from,to]`. */
function toBin(value: Expression, edges: readonly number[]): Expression {
  const [first, ...ends] = edges
  if (first === undefined) return constant(NULL_BREAKDOWN)
  const starts = [first, ...ends]
  const branches = ends
    .slice(0, -1)
    .flatMap((end, index) => [compare("<", value, constant(end)), constant(`[${starts[index]},${end}]`)])
  const last = `[${starts.at(-2) ?? first},${starts.at(-1) ?? first}]`
  const isNone = compare("==", value, constant(null))
  return call("multiIf", [isNone, constant(NULL_BREAKDOWN), ...branches, constant(last)])
}

function readIsUrl(reader: QueryReader, name: string, bins: number | null): boolean {
  const isUrl = reader.flag(name)
  if (isUrl && bins !== null) throw reader.fault(name, "cannot be used with bins, which are of numbers")
  return isUrl
}

function toText(property: Expression, isUrl: boolean, rules: readonly PathCleaningRule[]): Expression {
  const text = call("nullIf", [call("toString", [property]), constant("")])
  const shown = isUrl ? withoutEnd(text) : text
  // Rules may leave nothing of a value.
  const cleaned = rules.length === 0 ? shown : call("nullIf", [cleanPath(shown, rules), constant("")])
  return call("ifNull", [cleaned, constant(NULL_BREAKDOWN)])
}

/** An address without `/`, `?` and `#` at its end; "/" where there is nothing else. */
function withoutEnd(url: Expression): Expression {
  const short = call("replaceRegexpOne", [url, constant("[/?#]+$"), constant("")])
  return call("if", [compare("==", short, constant("")), constant("/"), short])
}

const toProperty = (name: string, type: string, groupTypeIndex: number | null): Expression =>
  type === "hogql" ? parseExpression(name) : propertyField(name, type, groupTypeIndex)

/** Ids of cohorts: each shows all events of its members, also of those in several cohorts, and `all` everybody's. */
function readCohorts(reader: QueryReader, written: Json): Pick<Breakdown, "expression" | "list"> {
  const ids = Array.isArray(written) ? written : [written]
  if (ids.length > MAX_COHORTS) throw reader.fault("breakdown", `must have at most ${MAX_COHORTS} items`)
  const items = ids.map((id) => {
    if (id === "all") return constant("all")
    if ((typeof id !== "number" && typeof id !== "string") || !Number.isSafeInteger(Number(id)))
      throw reader.fault("breakdown", "must hold ids of cohorts or all")
    const isMember = compare("in cohort", field(["person_id"]), constant(Number(id)))
    return call("if", [isMember, constant(String(id)), constant("")])
  })
  const isOne = lambda(["id"], compare("!=", field(["id"]), constant("")))
  const list = call("arrayDistinct", [call("arrayFilter", [isOne, array(items)])])
  return { expression: call("arrayJoin", [list]), list }
}

/** The value that stands for all beyond the limit. */
export const otherValue = ({ isMultiple }: Breakdown): Expression =>
  isMultiple ? array([constant(OTHER_BREAKDOWN)]) : constant(OTHER_BREAKDOWN)

/** Whether a value is the one that stands for all beyond the limit. */
export const isOtherValue = (value: Json): boolean => [value].flat().includes(OTHER_BREAKDOWN)

/** The id of a cohort as a number; `all` is none of them. */
export const toCohortId = (value: Json): Json => (value === "all" ? value : Number(value))

/** Orders lines of a chart: the one with the most first, that of all beyond the limit last. */
export const compareLines =
  <Line extends { readonly breakdown: Json }>(toTotal: (line: Line) => number) =>
  (a: Line, b: Line): number =>
    Number(isOtherValue(a.breakdown)) - Number(isOtherValue(b.breakdown)) ||
    toTotal(b) - toTotal(a) ||
    (JSON.stringify(a.breakdown) < JSON.stringify(b.breakdown) ? -1 : 1)

/** The name of a value on a chart. */
export function toBreakdownLabel(value: Json): string {
  if (Array.isArray(value)) return value.map(toBreakdownLabel).join("::")
  if (value === NULL_BREAKDOWN) return "None (i.e. no value)"
  if (value === OTHER_BREAKDOWN) return "Other (i.e. all remaining values)"
  return String(value)
}
