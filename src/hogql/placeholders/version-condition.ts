import { parseVersion, type SemanticVersion } from "../../kernel/semantic-version.js"
import { queryError } from "../hogql-error.js"
import { and, array, call, compare, constant, field, lambda, or } from "../nodes/make.js"
import type { CompareOperator, Expression, Span } from "../nodes/nodes.js"

/**
 * A version in the order of versions is a list of texts: a key for each of the three numbers, then one for each part of
 * the pre-release, or `RELEASE`, which is above them all. Numbers of any length have keys in their order: `0` (`1` and
 * the text for words, which come after numbers), how many digits there are, and the digits.
 */
const RELEASE = "2"
const LENGTH_DIGITS = 4
const SPELLING = "^[vV]?\\d+(\\.\\d+){0,2}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+.*)?$"
const CORE = "^[vV]?([0-9.]+)"
const PRERELEASE = "^[vV]?[0-9.]+-([0-9A-Za-z.-]+)"
/** `1.2.*`, `1.*.*`, `*`: numbers without zeros in front, then stars. */
const WILDCARD = /^(?:0|[1-9]\d*|\*)(?:\.(?:0|[1-9]\d*|\*)){0,2}$/

const COMPARISONS: ReadonlyMap<string, CompareOperator> = new Map<string, CompareOperator>([
  ["semver_eq", "=="],
  ["semver_neq", "!="],
  ["semver_gt", ">"],
  ["semver_gte", ">="],
  ["semver_lt", "<"],
  ["semver_lte", "<="],
])

/** Whether an operator compares versions. */
export const isVersionOperator = (operator: string): boolean => operator.startsWith("semver_")

/**
 * A version operator as a condition, with the rules of flags (`docs/contract/flags.md#property-operators`): what is no
 * version never matches, and a pre-release lies in a range only when the range begins with one of the same numbers.
 *
 * @throws HogqlError for a value that is no version, and for an operator that is not known
 */
export function versionCondition(operator: string, subject: Expression, value: unknown, at: Span): Expression {
  const text = call("trimBoth", [call("ifNull", [call("toString", [subject]), constant("")])])
  const isVersion = compare("=~", text, constant(SPELLING))
  const written = String(Array.isArray(value) ? value[0] : value).trim()
  if (operator === "semver_wildcard") return and([isVersion, inWildcard(text, written, at)])
  const bound = parseVersion(written)
  if (bound === null)
    throw queryError(`'${written.slice(0, 40)}' is not a version, which ${operator} compares with.`, at)
  const comparison = COMPARISONS.get(operator)
  if (comparison !== undefined) return and([isVersion, compare(comparison, versionKey(text), toKey(bound))])
  if (operator !== "semver_tilde" && operator !== "semver_caret")
    throw queryError(`Unknown property operator '${operator.slice(0, 40)}'.`, at)
  const upper = operator === "semver_tilde" ? toTildeEnd(bound) : toCaretEnd(bound)
  const isSameCore = compare("==", coreKey(text), texts(bound.core.map(numberKey)))
  const isRelease = compare("==", prerelease(text), constant(""))
  return and([
    isVersion,
    compare(">=", versionKey(text), toKey(bound)),
    compare("<", coreKey(text), texts(upper.map(numberKey))),
    bound.prerelease.length === 0 ? isRelease : or([isRelease, isSameCore]),
  ])
}

type Part = number | bigint
const next = (part: Part): Part => (typeof part === "bigint" ? part + 1n : part + 1)

const toTildeEnd = ({ core: [major, minor] }: SemanticVersion): Part[] => [major, next(minor), 0]

/** The first number that is not 0 stays the same. */
function toCaretEnd({ core: [major, minor, patch] }: SemanticVersion): Part[] {
  if (major > 0) return [next(major), 0, 0]
  return minor > 0 ? [0, next(minor), 0] : [0, 0, next(patch)]
}

function inWildcard(text: Expression, written: string, at: Span): Expression {
  const parts = written.replace(/^v/i, "").split(".")
  const fixed = parts.filter((part) => part !== "*")
  const isInOrder = parts.slice(0, fixed.length).every((part) => part !== "*")
  if (!WILDCARD.test(parts.join(".")) || !isInOrder)
    throw queryError(`'${written.slice(0, 40)}' is not a version with stars at its end, such as 1.2.*.`, at)
  const begins = compare(
    "==",
    call("arraySlice", [coreKey(text), constant(1), constant(fixed.length)]),
    texts(fixed.map((part) => numberKey(BigInt(part)))),
  )
  return and([compare("==", prerelease(text), constant("")), ...(fixed.length === 0 ? [] : [begins])])
}

const texts = (items: readonly string[]): Expression => array(items.map((item) => constant(item)))

const toKey = ({ core, prerelease: parts }: SemanticVersion): Expression =>
  texts([
    ...core.map(numberKey),
    ...(parts.length === 0
      ? [RELEASE]
      : parts.map((part) => (/^\d+$/.test(part) ? `0${numberKey(BigInt(part))}` : `1${part}`))),
  ])

/** How many digits a number has, and the digits; none for 0. */
function numberKey(value: Part): string {
  const digits = value > 0 ? String(value) : ""
  return String(digits.length).padStart(LENGTH_DIGITS, "0") + digits
}

/** The same of a text of digits in the query. */
function keyDigits(digits: Expression): Expression {
  const plain = call("replaceRegexpOne", [digits, constant("^0+"), constant("")])
  const length = call("leftPad", [call("toString", [call("length", [plain])]), constant(LENGTH_DIGITS), constant("0")])
  return call("concat", [length, plain])
}

const prerelease = (text: Expression): Expression => call("extract", [text, constant(PRERELEASE)])

/** Keys of the three numbers, those that are missing being 0. */
function coreKey(text: Expression): Expression {
  const parts = call("splitByChar", [constant("."), call("extract", [text, constant(CORE)])])
  const three = call("arraySlice", [call("arrayConcat", [parts, texts(["", ""])]), constant(1), constant(3)])
  return call("arrayMap", [lambda(["part"], keyDigits(field(["part"]))), three])
}

function versionKey(text: Expression): Expression {
  const part = field(["part"])
  const key = call("if", [
    compare("=~", part, constant("^\\d+$")),
    call("concat", [constant("0"), keyDigits(part)]),
    call("concat", [constant("1"), part]),
  ])
  const parts = call("splitByChar", [constant("."), prerelease(text)])
  const last = call("if", [
    compare("==", prerelease(text), constant("")),
    texts([RELEASE]),
    call("arrayMap", [lambda(["part"], key), parts]),
  ])
  return call("arrayConcat", [coreKey(text), last])
}
