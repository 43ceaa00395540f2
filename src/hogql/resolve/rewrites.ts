import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { CHANNEL_LOOKUPS, type ChannelLookup, channelLookup } from "../schema/channels.js"
import { type SqlExpression, sqlCall, sqlJoin, sqlNumber, sqlText, type TypeName, trusted, type } from "../sql/sql.js"
import { timezoneLiteral } from "../sql/timezone.js"
import { compareTyped } from "./compare.js"
import { parseTime, timeFromText } from "./property.js"
import type { Typed } from "./typed.js"

interface RewriteContext {
  readonly scope: HogqlScope
  readonly at: Span
}
/** How many arguments there are has been checked. */
type Rewrite = (context: RewriteContext, ...args: Typed[]) => Typed

const typed = (sql: SqlExpression, name: TypeName, nullable = false): Typed => ({ sql, type: type(name, nullable) })
const toSql = (args: readonly Typed[]): SqlExpression[] => args.map(({ sql }) => sql)
const NO_TEXT = trusted("''")

const PLAIN_TYPES: ReadonlySet<TypeName> = new Set(["Integer", "Float", "Boolean", "Date", "DateTime"])

/** A number of one engine type, null for what is none: text is read, other values are converted. */
const toNumber =
  (engineType: string, name: TypeName): Rewrite =>
  (_context, value: Typed) => {
    if (value.type.name === "Null") return value
    if (PLAIN_TYPES.has(value.type.name)) return typed(sqlCall(`to${engineType}`, value.sql), name, value.type.nullable)
    return typed(sqlCall(`to${engineType}OrNull`, toText(value).sql), name, true)
  }

const orZero =
  (rewrite: Rewrite, name: TypeName): Rewrite =>
  (context, value: Typed, instead = typed(sqlNumber(0), name)) =>
    typed(sqlCall("ifNull", rewrite(context, value).sql, instead.sql), name)

const toFloat = toNumber("Float64", "Float")
const toInt = toNumber("Int64", "Integer")

const toText = (value: Typed): Typed =>
  value.type.name === "String" ? value : typed(sqlCall("toString", value.sql), "String", value.type.nullable)

const orNoText = ({ sql, type: { nullable } }: Typed): SqlExpression =>
  nullable ? sqlCall("ifNull", sql, NO_TEXT) : sql

/** Text and whatever turned to text, nulls to "". */
const concat = (args: readonly Typed[]): Typed => typed(sqlJoin("concat", args.map(toText).map(orNoText)), "String")

const toZone = (zone: Typed | undefined, { scope, at }: RewriteContext): SqlExpression => {
  if (zone === undefined) return timezoneLiteral(scope.timezone)
  if (zone.sql.kind !== "text") throw queryError("A time zone must be written as text.", at)
  return zone.sql
}

const toTime = (context: RewriteContext, value: Typed, zone?: Typed): Typed =>
  value.type.name === "String"
    ? timeFromText(value.sql, toZone(zone, context))
    : typed(sqlCall("toDateTime", value.sql, toZone(zone, context)), "DateTime", value.type.nullable)

/** With the digits of a second before the zone. */
const toTime64: Rewrite = (context, value: Typed, _digits?: Typed, zone?: Typed) => toTime(context, value, zone)

/** Seconds; a second argument is the zone in which a text is read. */
const toUnixTimestamp: Rewrite = (context, value: Typed, zone?: Typed) => {
  const time = value.type.name === "String" ? timeFromText(value.sql, toZone(zone, context)) : value
  return typed(sqlCall("toUnixTimestamp", time.sql), "Integer", time.type.nullable)
}

/** Years that ClickHouse's `Date` can hold; others wrap around in it. */
const PLAIN_DATE = /^(?:19[7-9]|20|21[0-3])\d/

/** Texts and properties may hold any date, such as a birthday, and need `Date32`; times of stored tables fit into `Date`. */
const toDate: Rewrite = ({ scope }, value: Typed) => {
  if (value.type.name === "String") {
    const isPlain = value.sql.kind === "text" && PLAIN_DATE.test(value.sql.value)
    return typed(sqlCall(isPlain ? "toDate" : "toDate32", parseTime(value.sql, scope)), "Date", true)
  }
  const isWide = value.property !== undefined && value.type.name === "DateTime"
  return typed(sqlCall(isWide ? "toDate32" : "toDate", value.sql), "Date", value.type.nullable)
}

/** The time the query was asked, the same everywhere in it; in the zone that is named, else in the project's. */
const now = (context: RewriteContext, zone?: Typed): Typed => {
  const asked = sqlCall("toInt64", sqlNumber(context.scope.nowMs))
  return typed(sqlCall("fromUnixTimestamp64Milli", asked, toZone(zone, context)), "DateTime")
}

const today = (context: RewriteContext): Typed => typed(sqlCall("toDate", now(context).sql), "Date")

/** Text by a format, null for what does not fit it. */
const timeByFormat =
  (engine: string): Rewrite =>
  (context, text: Typed, format: Typed, zone?: Typed) =>
    typed(sqlCall(engine, text.sql, format.sql, toZone(zone, context)), "DateTime", true)

/** Text with the month before the day, null for what is no time. */
const americanTime: Rewrite = (context, value: Typed, zone?: Typed) =>
  typed(sqlCall("parseDateTime64BestEffortUSOrNull", value.sql, sqlNumber(6), toZone(zone, context)), "DateTime", true)

/** ClickHouse has no nullable lists, so a null text gives an empty one. */
const toJsonList =
  (engine: string): Rewrite =>
  (_context, text: Typed, ...path) =>
    typed(sqlCall(engine, orNoText(text), ...toSql(path)), "Array")

const JSON_LIST = /^(?:Array|Map|Tuple)\(/

/** The last argument is the type to read. */
const jsonExtract: Rewrite = (context, ...args) => {
  const wanted = args.at(-1)?.sql
  if (wanted?.kind === "text" && JSON_LIST.test(wanted.value)) return toJsonList("JSONExtract")(context, ...args)
  const isNullable = args.some(({ type: { nullable } }) => nullable)
  return typed(sqlCall("JSONExtract", ...toSql(args)), "Unknown", isNullable)
}

/** The type that all branches share, nulls apart. */
function findCommonType(branches: readonly Typed[]): TypeName {
  const names = branches.map((branch) => branch.type.name).filter((name) => name !== "Null")
  return names.every((other) => other === names[0]) ? (names[0] ?? "Null") : "Unknown"
}

const conditional: Rewrite = ({ at }, ...args) => {
  const branches = args.filter((_, index) => index % 2 === 1 || index === args.length - 1)
  if (args.length % 2 === 0)
    throw queryError("Function 'multiIf' needs pairs of condition and value, then an else.", at)
  const isNullable = branches.some((branch) => branch.type.nullable)
  return typed(sqlCall(args.length === 3 ? "if" : "multiIf", ...toSql(args)), findCommonType(branches), isNullable)
}

const firstNotNull =
  (engine: string): Rewrite =>
  (_context, ...args) => {
    const isNullable = args.every((arg) => arg.type.nullable)
    return typed(sqlCall(engine, ...toSql(args)), findCommonType(args), isNullable)
  }

/** CASE x WHEN a THEN b …: compared like `=`, so a null matches a null. */
const caseWithExpression: Rewrite = (context, subject: Typed, ...rest) => {
  const parts = rest.map((part, index) =>
    index % 2 === 0 && index < rest.length - 1 ? compareTyped("==", subject, part, context.scope) : part,
  )
  return conditional(context, ...parts)
}

/** Numbers of a version text, so that versions order by number: '1.10.0' after '1.9.2'. */
const sortableSemver: Rewrite = (_context, version: Typed) => {
  const digits = sqlCall("extract", orNoText(toText(version)), trusted("'(\\\\d+(\\\\.\\\\d+)+)'"))
  const parts = sqlCall("splitByChar", trusted("'.'"), digits)
  return typed(sqlCall("arrayMap", trusted("v -> toInt64OrZero(v)"), parts), "Array")
}

const lookup =
  (name: ChannelLookup): Rewrite =>
  (_context, value: Typed) =>
    typed(channelLookup(name, toText(value).sql, { call: sqlCall, raw: trusted }), "String", true)

const toDecimal: Rewrite = (_context, value: Typed, digits = typed(sqlNumber(4), "Integer")) =>
  typed(sqlCall("toDecimal64OrNull", toText(value).sql, digits.sql), "Float", true)

const toUuid: Rewrite = (_context, value: Typed) =>
  value.type.name === "UUID" ? value : typed(sqlCall("toUUIDOrNull", toText(value).sql), "UUID", true)

const toBoolean: Rewrite = (_context, value: Typed) =>
  value.type.name === "Boolean" ? value : typed(sqlCall("toBool", value.sql), "Boolean", value.type.nullable)

/** A time in the zone that is named. */
const toStringIn: Rewrite = (context, value: Typed, zone?: Typed) =>
  zone === undefined
    ? toText(value)
    : typed(sqlCall("toString", value.sql, toZone(zone, context)), "String", value.type.nullable)

const makeDateTime: Rewrite = (context, ...args) =>
  typed(sqlCall("makeDateTime", ...toSql(args.slice(0, 6)), toZone(args[6], context)), "DateTime")

const toStartOfWeek: Rewrite = ({ scope }, time: Typed, mode?: Typed) => {
  const firstDay = mode?.sql ?? sqlNumber(scope.weekStartDay === "monday" ? 1 : 0)
  return typed(sqlCall("toStartOfWeek", time.sql, firstDay), "Date", time.type.nullable)
}

const INTEGERS = "Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Int128 Int256 UInt128 UInt256".split(" ")
const JSON_LISTS = [
  "JSONExtractKeys",
  "JSONExtractArrayRaw",
  "JSONExtractKeysAndValuesRaw",
  "JSONExtractKeysAndValues",
  "JSONExtractKeysCaseInsensitive",
  "JSONExtractArrayRawCaseInsensitive",
]

const REWRITES: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ["toInt", toInt],
  ...INTEGERS.map((name) => [`to${name}`, toNumber(name, "Integer")] as const),
  ["toFloat", toFloat],
  ["toFloat32", toNumber("Float32", "Float")],
  ["toFloat64", toFloat],
  ["toIntOrZero", orZero(toInt, "Integer")],
  ["toFloatOrZero", orZero(toFloat, "Float")],
  ["toFloatOrDefault", orZero(toFloat, "Float")],
  ["toDecimal", toDecimal],
  ["toUUID", toUuid],
  ["toString", toStringIn],
  ["toBool", toBoolean],
  ["toUnixTimestamp", toUnixTimestamp],
  ["toDate", toDate],
  ["toDateTime", toTime],
  ["toDateTime64", toTime64],
  ["parseDateTimeBestEffort", toTime],
  ["parseDateTime64BestEffort", toTime64],
  ["fromUnixTimestamp", toTime],
  ["makeDateTime", makeDateTime],
  ["parseDateTime", timeByFormat("parseDateTimeOrNull")],
  ["parseDateTimeInJodaSyntax", timeByFormat("parseDateTimeInJodaSyntaxOrNull")],
  ["parseDateTimeBestEffortUS", americanTime],
  ["now", now],
  ["now64", (context, _digits, zone) => now(context, zone)],
  ["today", today],
  ["yesterday", (context) => typed(sqlCall("subtractDays", today(context).sql, sqlNumber(1)), "Date")],
  ["toStartOfWeek", toStartOfWeek],
  ["timezone", ({ scope }) => typed(sqlText(scope.timezone), "String")],
  ["concat", (_context, ...args) => concat(args)],
  ["coalesce", firstNotNull("coalesce")],
  ["ifNull", firstNotNull("ifNull")],
  ["if", conditional],
  ["multiIf", conditional],
  ["caseWithExpression", caseWithExpression],
  ["sortableSemver", sortableSemver],
  ["JSONExtract", jsonExtract],
  ...JSON_LISTS.map((name) => [name, toJsonList(name)] as const),
  ...CHANNEL_LOOKUPS.map((name) => [name, lookup(name)] as const),
])

/** The rewriting of a function by its engine name; undefined for one that is called as it is. */
export const findRewrite = (engine: string): Rewrite | undefined => REWRITES.get(engine)
