import { AppError } from "../../../kernel/errors.js"
import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"
import { RECORDING_MEASURES, type RecordingMeasure } from "../recording-measure.js"
import type { Comparison, SessionTest } from "./session-test.types.js"

/** Operators that say that something does not hold, with what it is. */
const POSITIVES: ReadonlyMap<Json, string> = new Map([
  ["is_not", "exact"],
  ["not_in", "in"],
  ["not_icontains", "icontains"],
  ["not_regex", "regex"],
  ["is_not_set", "is_set"],
])

/** What an operator denies; undefined for one that denies nothing. */
export const findPositive = (operator: Json): string | undefined => POSITIVES.get(operator)

const COMPARISONS: ReadonlyMap<Json, Comparison> = new Map([
  ["exact", "eq"],
  ["gt", "gt"],
  ["gte", "gte"],
  ["lt", "lt"],
  ["lte", "lte"],
  ["min", "gte"],
  ["max", "lte"],
])
const SOURCE = "snapshot_source"
const PAGE = "visited_page"
const KEYS = [...RECORDING_MEASURES, SOURCE, PAGE]
const PAGE_MATCHES: ReadonlyMap<Json, "exact" | "icontains" | "regex"> = new Map([
  ["exact", "exact"],
  ["in", "exact"],
  ["icontains", "icontains"],
  ["regex", "regex"],
] as const)

/**
 * A condition on the recording itself: a number of it (`recording_duration` is the same as `duration`), where its data came
 * from, or a page that it shows.
 * @throws AppError invalid_input naming the field of the request.
 */
export function toRecordingTest(attr: string, filter: Json): SessionTest {
  const written: JsonObject = isJsonObject(filter) ? filter : {}
  const { key, operator = "exact", value = null } = written
  const positive = findPositive(operator)
  if (positive !== undefined) return { kind: "not", test: toRecordingTest(attr, { ...written, operator: positive }) }
  const values = Array.isArray(value) ? value : [value]
  const measure = RECORDING_MEASURES.find((known) => known === (key === "recording_duration" ? "duration" : key))
  if (measure !== undefined) return toMeasureTest(attr, measure, operator, values)
  if (key !== SOURCE && key !== PAGE) throw invalid(attr, `key must be one of: ${KEYS.join(", ")}.`)
  const texts = values.map((one) => toText(attr, one))
  if (key === SOURCE && (operator === "exact" || operator === "in")) return { kind: "source_in", sources: texts }
  if (key === SOURCE) throw invalid(attr, "operator must be one of: exact, is_not.")
  const match = PAGE_MATCHES.get(operator)
  if (match === undefined)
    throw invalid(attr, "operator must be one of: exact, icontains, regex, or one that denies them.")
  return { kind: "page", match, texts }
}

function toMeasureTest(attr: string, measure: RecordingMeasure, operator: Json, values: readonly Json[]): SessionTest {
  const numbers = values.map((value) => toNumber(attr, value))
  const [first, second] = numbers
  if (first === undefined) throw invalid(attr, "value must be a number.")
  const test = (comparison: Comparison, value: number) => ({ kind: "measure", measure, comparison, value }) as const
  if (operator === "between" && second !== undefined)
    return { kind: "all", tests: [test("gte", first), test("lte", second)] }
  const comparison = COMPARISONS.get(operator)
  if (comparison === undefined)
    throw invalid(attr, "operator must be one of: exact, is_not, gt, gte, lt, lte, between with two values.")
  if (comparison === "eq" && numbers.length > 1)
    return { kind: "any", tests: numbers.map((number) => test("eq", number)) }
  return test(comparison, first)
}

function toNumber(attr: string, value: Json): number {
  const isWritten = typeof value === "number" || (typeof value === "string" && value.trim() !== "")
  if (isWritten && Number.isFinite(Number(value))) return Number(value)
  throw invalid(attr, "value must be a number.")
}

function toText(attr: string, value: Json): string {
  if (typeof value === "string") return value
  throw invalid(attr, "value must be a text or a list of texts.")
}

const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
