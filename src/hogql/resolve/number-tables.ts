import { queryError } from "../hogql-error.js"
import type { Expression, TableSource } from "../nodes/nodes.js"
import { findTable } from "../schema/tables.js"
import { column, type NumbersTable, type SqlExpression, sqlCall, sqlNumber, type } from "../sql/sql.js"
import { ColumnsRelation } from "./columns-relation.js"
import { resolveExpression } from "./resolve-expression.js"
import { SelectScope } from "./select-scope.js"

/** Far more rows than fit into the time limit: a larger number is a mistake. */
const MAX_NUMBERS = 100_000_000_000
/** The largest step: the largest whole number that is exact in JavaScript. */
const LARGEST = Number.MAX_SAFE_INTEGER

interface TableFunction {
  readonly engine: NumbersTable["name"]
  readonly minArgs: number
  readonly maxArgs: number
  /** How many rows there are. */
  readonly rows: (values: readonly number[]) => number
}

const series: TableFunction = {
  engine: "generate_series",
  minArgs: 2,
  maxArgs: 3,
  rows: ([start = 0, stop = 0, step = 1]) => Math.floor((stop - start) / step) + 1,
}
const TABLE_FUNCTIONS: ReadonlyMap<string, TableFunction> = new Map([
  ["numbers", { engine: "numbers", minArgs: 1, maxArgs: 2, rows: ([first = 0, count = first]) => count }],
  ["generateSeries", series],
  ["generate_series", series],
])

/**
 * `numbers(count)`, `numbers(start, count)`, `generateSeries(first, last)` and `generateSeries(first, last, step)`: the only
 * table functions.
 *
 * @throws HogqlError for any other, and for arguments that are no whole numbers or give too many rows
 */
export function resolveNumbers(name: string, source: TableSource, scope: SelectScope): ColumnsRelation {
  const found = TABLE_FUNCTIONS.get(name)
  if (found === undefined) {
    const known = findTable(name) === undefined ? "" : ` "${name}" is a table: leave the brackets out.`
    const names = "Only 'numbers(...)' and 'generateSeries(...)' are available."
    throw queryError(`Unknown table function '${name}(...)'. ${names}${known}`, source.at)
  }
  const { args, at, columns } = source
  if (args === null) throw queryError(`Table function '${name}' requires arguments`, at)
  if (args.length < found.minArgs || args.length > found.maxArgs)
    throw queryError(
      `Table function '${name}' expects ${found.minArgs} or ${found.maxArgs} arguments, found ${args.length}`,
      at,
    )
  if (columns !== null && columns.length !== 1) throw queryError(`${columns.length} names were given to 1 columns.`, at)
  const written = args.map((arg) => readCount(name, arg))
  if (written[2] === 0) throw queryError(`The step of '${name}' must be more than 0.`, args[2]?.at ?? at)
  const known = written.filter((value) => value !== null)
  if (known.length === args.length && found.rows(known) > MAX_NUMBERS)
    throw queryError(`'${name}' gives at most ${MAX_NUMBERS} rows.`, at)
  const resolved = args.map((arg, index) => {
    const value = written[index] ?? null
    return value === null ? bound(arg, index, scope) : sqlNumber(value)
  })
  const sqlName = found.engine === "numbers" ? "number" : "generate_series"
  const only = { name: columns?.[0] ?? sqlName, sqlName, typed: { sql: column(null, sqlName), type: type("Integer") } }
  const table = { kind: "numbers", name: found.engine, args: resolved } as const
  return new ColumnsRelation([only], table, scope.compilation, source.alias ?? name)
}

/** The number that is written; null for an argument that the engine has to calculate. */
function readCount(name: string, arg: Expression): number | null {
  if (arg.kind !== "constant") return null
  const { value } = arg
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value
  throw queryError(`Arguments of '${name}' must be whole numbers.`, arg.at)
}

/** An argument that is calculated, such as `dateDiff('day', a, b)`, clamped to what a constant may be. */
function bound(arg: Expression, index: number, scope: SelectScope): SqlExpression {
  const alone = new SelectScope(scope.compilation, scope.environment)
  const { sql } = resolveExpression(arg, alone)
  const least = sqlNumber(index === 2 ? 1 : 0)
  const most = sqlNumber(index === 2 ? LARGEST : MAX_NUMBERS)
  return sqlCall("toUInt64", sqlCall("least", sqlCall("greatest", sqlCall("ifNull", sql, least), least), most))
}
