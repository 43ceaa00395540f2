import type { HogqlScope, PropertyType } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { type SqlExpression, sqlCall, sqlNumber, sqlText, trusted, type } from "../sql/sql.js"
import { timezoneLiteral } from "../sql/timezone.js"
import { isWrittenTime } from "../sql/written-time.js"
import type { PropertyRead, Typed } from "./typed.js"

/**
 * Reads a property as its definition says (`docs/contract/queries.md#hogql-properties`): untyped ones are text, missing
 * and JSON null are null, "" stays "", numbers and objects are their JSON text. Text that is not a number is null where
 * a number is wanted.
 */
export function readProperty(read: PropertyRead, scope: HogqlScope): Typed {
  if (read.path.length === 0) return { sql: read.column(), type: type("Json"), property: read }
  const asText = findColumn(read) ?? extractText(read.column(), read.path.map(toPart))
  switch (definedType(read, scope)) {
    case "Numeric":
      return { sql: sqlCall("toFloat64OrNull", asText), type: type("Float", true), property: read }
    case "Boolean":
      return { sql: asBoolean(asText), type: type("Boolean", true), property: read }
    case "DateTime":
      return { sql: parseTime(asText, scope), type: type("DateTime", true), property: read }
    default:
      return { sql: asText, type: type("String", true), property: read }
  }
}

/** The property whose name is calculated: as text, whatever its definition. */
export function readDynamic({ column, path }: PropertyRead, name: SqlExpression): Typed {
  return { sql: extractText(column(), [...path.map(toPart), name]), type: type("String", true) }
}

/** The column of the property, which holds exactly what is read out of the text otherwise. */
function findColumn({ path: [name, ...deeper], propertyColumn }: PropertyRead): SqlExpression | null {
  return typeof name === "string" && deeper.length === 0 ? propertyColumn(name) : null
}

const extractText = (json: SqlExpression, path: readonly SqlExpression[]): SqlExpression =>
  sqlCall("JSONExtract", json, ...path, trusted("'Nullable(String)'"))

const toPart = (part: string | number): SqlExpression => (typeof part === "number" ? sqlNumber(part) : sqlText(part))

/** Goes one part deeper. Array elements count from one. */
export function deeper(read: PropertyRead, part: string | number, at: Span): PropertyRead {
  if (part === 0) throw queryError("SQL indexes start from one, not from zero. E.g: array[1]", at)
  return { ...read, path: [...read.path, part] }
}

/** Text read as a time in the project's zone; null for what is not a time. */
export const parseTime = (text: SqlExpression, scope: HogqlScope): SqlExpression =>
  sqlCall("parseDateTime64BestEffortOrNull", text, sqlNumber(6), timezoneLiteral(scope.timezone))

/**
 * Reads text as a time in a zone. A constant that is a valid time is not nullable, so that it is compared with a column
 * directly and ClickHouse can skip the parts and granules of other days.
 */
export function timeFromText(text: SqlExpression, zone: SqlExpression): Typed {
  const isWritten = text.kind === "text" && isWrittenTime(text.value)
  const engine = isWritten ? "parseDateTime64BestEffort" : "parseDateTime64BestEffortOrNull"
  return { sql: sqlCall(engine, text, sqlNumber(6), zone), type: type("DateTime", !isWritten) }
}

const asBoolean = (text: SqlExpression): SqlExpression =>
  sqlCall(
    "multiIf",
    sqlCall("in", sqlCall("lower", text), trusted("('true', '1')")),
    trusted("true"),
    sqlCall("in", sqlCall("lower", text), trusted("('false', '0')")),
    trusted("false"),
    trusted("NULL"),
  )

function definedType(read: PropertyRead, scope: HogqlScope): PropertyType | undefined {
  const [name] = read.path
  if (read.path.length !== 1 || typeof name !== "string" || read.owner === "record") return undefined
  if (read.owner !== "group") return scope.propertyDefinitions[read.owner].get(name)
  return read.groupIndex === null ? undefined : scope.propertyDefinitions.group.get(read.groupIndex)?.get(name)
}
