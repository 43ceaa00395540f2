import type { HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import type { CompareOperator, Span } from "../nodes/nodes.js"
import { CHANNEL_LOOKUPS, type ChannelLookup, channelLookup } from "../schema/channels.js"
import { type SqlExpression, sqlCall, sqlNumber, sqlText, type TypeName, trusted, type } from "../sql/sql.js"
import { timezoneLiteral } from "../sql/timezone.js"
import { compareTyped } from "./compare.js"
import { parseTime, timeFromText } from "./property.js"
import type { Typed } from "./typed.js"

interface RewriteContext {
  readonly scope: HogqlScope
  readonly at: Span
}
type Rewrite = (args: readonly Typed[], context: RewriteContext) => Typed

const typed = (sql: SqlExpression, name: TypeName, nullable = false): Typed => ({ sql, type: type(name, nullable) })
const first = (args: readonly Typed[]): Typed => args[0] as Typed

/** A number of one engine type, null for what is none: text is read, other values are converted. */
const toNumber =
  (engineType: string, name: TypeName): Rewrite =>
  (args) => {
    const value = first(args)
    if (value.type.name === "String") return typed(sqlCall(`to${engineType}OrNull`, value.sql), name, true)
    if (value.type.name === "Null") return value
    const isPlain = ["Integer", "Float", "Boolean", "Date", "DateTime"].includes(value.type.name)
    if (isPlain) return typed(sqlCall(`to${engineType}`, value.sql), name, value.type.nullable)
    return typed(sqlCall(`to${engineType}OrNull`, sqlCall("toString", value.sql)), name, true)
  }

const orZero =
  (rewrite: Rewrite, name: TypeName): Rewrite =>
  (args, context) =>
    typed(sqlCall("ifNull", rewrite(args, context).sql, (args[1] ?? typed(sqlNumber(0), name)).sql), name)

const toFloat = toNumber("Float64", "Float")
const toInt = toNumber("Int64", "Integer")

const toText: Rewrite = (args) => {
  const value = first(args)
  return value.type.name === "String" ? value : typed(sqlCall("toString", value.sql), "String", value.type.nullable)
}

/** Text and whatever turned to text, nulls to "". */
const concat: Rewrite = (args, context) => {
  const texts = args.map((arg) => {
    const text = toText([arg], context)
    return text.type.nullable ? sqlCall("ifNull", text.sql, trusted("''")) : text.sql
  })
  return typed(texts.length === 1 ? (texts[0] as SqlExpression) : sqlCall("concat", ...texts), "String")
}

const zoneOf = (zone: Typed | undefined, { scope, at }: RewriteContext): SqlExpression => {
  if (zone === undefined) return timezoneLiteral(scope.timezone)
  if (zone.sql.kind !== "text") throw queryError("A time zone must be written as text.", at)
  return zone.sql
}

const toTime =
  (zoneIndex: number): Rewrite =>
  (args, context) => {
    const value = first(args)
    const zone = zoneOf(args[zoneIndex], context)
    if (value.type.name === "String") {
      return timeFromText(value.sql, zone)
    }
    return typed(sqlCall("toDateTime", value.sql, zone), "DateTime", value.type.nullable)
  }

/** Seconds; a second argument is the zone in which a text is read. */
const toUnixTimestamp: Rewrite = (args, context) => {
  const value = first(args)
  const time = value.type.name === "String" ? timeFromText(value.sql, zoneOf(args[1], context)) : value
  return typed(sqlCall("toUnixTimestamp", time.sql), "Integer", time.type.nullable)
}

/** Years that the engine's plain dates have; others come round again in them. */
const PLAIN_DATE = /^(?:19[7-9]|20|21[0-3])\d/

/** Texts and properties may hold any date, such as a birthday. Times of stored tables lie in the plain ones. */
const toDate: Rewrite = (args, { scope }) => {
  const value = first(args)
  if (value.type.name === "String") {
    const isPlain = value.sql.kind === "text" && PLAIN_DATE.test(value.sql.value)
    return typed(sqlCall(isPlain ? "toDate" : "toDate32", parseTime(value.sql, scope)), "Date", true)
  }
  const isWide = value.property !== undefined && value.type.name === "DateTime"
  return typed(sqlCall(isWide ? "toDate32" : "toDate", value.sql), "Date", value.type.nullable)
}

/** The time the query was asked, the same everywhere in it; in the zone that is named, else in the project's. */
const now =
  (zoneIndex: number): Rewrite =>
  (args, context) =>
    typed(
      sqlCall(
        "fromUnixTimestamp64Milli",
        sqlCall("toInt64", sqlNumber(context.scope.nowMs)),
        zoneOf(args[zoneIndex], context),
      ),
      "DateTime",
    )

const today: Rewrite = (_args, context) => typed(sqlCall("toDate", now(0)([], context).sql), "Date")

/** Text by a format, null for what does not fit it. */
const timeByFormat: Rewrite = (args, context) =>
  typed(
    sqlCall("parseDateTimeOrNull", ...args.slice(0, 2).map(({ sql }) => sql), zoneOf(args[2], context)),
    "DateTime",
    true,
  )

/** The engine has no lists that may be null: what is in a text that is not there is nothing. */
const listOf =
  (engine: string): Rewrite =>
  ([text, ...rest]) => {
    const json = text?.type.nullable ? sqlCall("ifNull", text.sql, trusted("''")) : (text as Typed).sql
    return typed(sqlCall(engine, json, ...rest.map(({ sql }) => sql)), "Array")
  }

const JSON_LIST = /^(?:Array|Map|Tuple)\(/

/** As what type a part of a JSON text is read is its last argument. */
const jsonExtract: Rewrite = (args, context) => {
  const wanted = args.at(-1)?.sql
  if (wanted?.kind === "text" && JSON_LIST.test(wanted.value)) return listOf("JSONExtract")(args, context)
  return typed(
    sqlCall("JSONExtract", ...args.map(({ sql }) => sql)),
    "Unknown",
    args.some(({ type: of }) => of.nullable),
  )
}

/** The first type that says something, null when any may be. */
function commonType(branches: readonly Typed[]): { name: TypeName; nullable: boolean } {
  const names = branches.map((branch) => branch.type.name).filter((name) => name !== "Null")
  const name = names.every((other) => other === names[0]) ? (names[0] ?? "Null") : "Unknown"
  return { name, nullable: branches.some((branch) => branch.type.nullable) }
}

const conditional: Rewrite = (args, { at }) => {
  const branches = args.filter((_, index) => index % 2 === 1 || index === args.length - 1)
  if (args.length % 2 === 0)
    throw queryError("Function 'multiIf' needs pairs of condition and value, then an else.", at)
  const sql = sqlCall(args.length === 3 ? "if" : "multiIf", ...args.map((arg) => arg.sql))
  const common = commonType(branches)
  return typed(sql, common.name, common.nullable)
}

const firstNotNull =
  (engine: string): Rewrite =>
  (args) =>
    typed(
      sqlCall(engine, ...args.map((arg) => arg.sql)),
      commonType(args).name,
      args.every((arg) => arg.type.nullable),
    )

/** CASE x WHEN a THEN b …: compared like `=`, so a null matches a null. */
const caseWithExpression: Rewrite = ([subject, ...rest], context) => {
  const parts = rest.map((part, index) =>
    index % 2 === 0 && index < rest.length - 1 ? compareTyped("==", subject as Typed, part, context.scope) : part,
  )
  return conditional(parts, context)
}

const comparing =
  (operator: CompareOperator): Rewrite =>
  (args, { scope }) =>
    compareTyped(operator, first(args), args[1] as Typed, scope)

/** Numbers of a version text, so that versions order by number: '1.10.0' after '1.9.2'. */
const sortableSemver: Rewrite = (args, context) => {
  const digits = sqlCall("extract", concat(args, context).sql, trusted("'(\\\\d+(\\\\.\\\\d+)+)'"))
  return typed(
    sqlCall("arrayMap", trusted("v -> toInt64OrZero(v)"), sqlCall("splitByChar", trusted("'.'"), digits)),
    "Array",
  )
}

const lookup =
  (name: ChannelLookup): Rewrite =>
  (args, context) =>
    typed(channelLookup(name, toText(args, context).sql, { call: sqlCall, raw: trusted }), "String", true)

const REWRITES: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ["toInt", toInt],
  ...[
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Int128",
    "Int256",
    "UInt128",
    "UInt256",
  ].map((name) => [`to${name}`, toNumber(name, "Integer")] as const),
  ["toFloat", toFloat],
  ["toFloat32", toNumber("Float32", "Float")],
  ["toFloat64", toFloat],
  ["toIntOrZero", orZero(toInt, "Integer")],
  ["toFloatOrZero", orZero(toFloat, "Float")],
  ["toFloatOrDefault", orZero(toFloat, "Float")],
  [
    "toDecimal",
    (args, context) =>
      typed(
        sqlCall(
          "toDecimal64OrNull",
          toText([first(args)], context).sql,
          (args[1] ?? typed(sqlNumber(4), "Integer")).sql,
        ),
        "Float",
        true,
      ),
  ],
  [
    "toUUID",
    (args, context) =>
      first(args).type.name === "UUID"
        ? first(args)
        : typed(sqlCall("toUUIDOrNull", toText(args, context).sql), "UUID", true),
  ],
  [
    "toString",
    (args, context) =>
      args[1] === undefined
        ? toText(args, context)
        : typed(sqlCall("toString", first(args).sql, zoneOf(args[1], context)), "String", first(args).type.nullable),
  ],
  [
    "toBool",
    (args, context) =>
      first(args).type.name === "Boolean"
        ? first(args)
        : typed(
            sqlCall("toBool", first(args).type.name === "String" ? toText(args, context).sql : first(args).sql),
            "Boolean",
            first(args).type.nullable,
          ),
  ],
  ["toUnixTimestamp", toUnixTimestamp],
  ["toDate", toDate],
  ["toDateTime", toTime(1)],
  ["toDateTime64", toTime(2)],
  ["parseDateTimeBestEffort", toTime(1)],
  ["parseDateTime64BestEffort", toTime(2)],
  ["fromUnixTimestamp", toTime(1)],
  [
    "makeDateTime",
    (args, context) => {
      const parts = args.slice(0, 6).map((arg) => arg.sql)
      return typed(sqlCall("makeDateTime", ...parts, zoneOf(args[6], context)), "DateTime")
    },
  ],
  ["parseDateTime", timeByFormat],
  ["now", now(0)],
  ["now64", now(1)],
  ["today", today],
  ["yesterday", (args, context) => typed(sqlCall("subtractDays", today(args, context).sql, sqlNumber(1)), "Date")],
  [
    "toStartOfWeek",
    (args, { scope }) =>
      typed(
        sqlCall("toStartOfWeek", first(args).sql, args[1]?.sql ?? sqlNumber(scope.weekStartDay === "monday" ? 1 : 0)),
        "Date",
        first(args).type.nullable,
      ),
  ],
  ["timezone", (_args, { scope }) => typed(sqlText(scope.timezone), "String")],
  ["concat", concat],
  ["coalesce", firstNotNull("coalesce")],
  ["ifNull", firstNotNull("ifNull")],
  ["if", conditional],
  ["multiIf", conditional],
  ["caseWithExpression", caseWithExpression],
  ["equals", comparing("==")],
  ["notEquals", comparing("!=")],
  ["less", comparing("<")],
  ["lessOrEquals", comparing("<=")],
  ["greater", comparing(">")],
  ["greaterOrEquals", comparing(">=")],
  ["like", comparing("like")],
  ["notLike", comparing("not like")],
  ["ilike", comparing("ilike")],
  ["notILike", comparing("not ilike")],
  ["sortableSemver", sortableSemver],
  ["JSONExtract", jsonExtract],
  ...["JSONExtractKeys", "JSONExtractArrayRaw", "JSONExtractKeysAndValuesRaw", "JSONExtractKeysAndValues"].map(
    (name) => [name, listOf(name)] as const,
  ),
  ...CHANNEL_LOOKUPS.map((name) => [name, lookup(name)] as const),
])

/** The rewriting of a function by its engine name; undefined for one that is called as it is. */
export const findRewrite = (engine: string): Rewrite | undefined => REWRITES.get(engine)
