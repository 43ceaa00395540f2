import { SPARE_COUNT_COLUMN, toSpareColumn } from "../../kernel/property-columns.js"
import { sameText } from "../nodes/same-text.js"
import { mapClauses, mapInner, mapSelects } from "../sql/map-queries.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
  type SqlSpare,
  sqlCall,
  sqlNumber,
  sqlSelect,
  sqlText,
  trusted,
} from "../sql/sql.js"
import { joinWithAnd } from "./predicate-pushdown.js"

/**
 * Spares apart: events whose rows have the spare columns that a SELECT asks for are read without their text, all others
 * out of it (decision 0059).
 *
 *     SELECT r.own_2 … FROM (
 *       SELECT r.*, r.spare_2 AS own_2 FROM events AS r PREWHERE … AND r.spare_count >= 2
 *       UNION ALL
 *       SELECT r.*, JSONExtract(r.properties, …) AS own_2 FROM events AS r PREWHERE … AND r.spare_count < 2) AS r
 *
 * One expression for both would do, but ClickHouse reads all columns that it names for all rows. Of `r.*` it reads what
 * is asked for. A SELECT that needs the text of all rows anyway has that one expression, and so has one that needs it
 * of few.
 */
export const readSparesApart = (query: SqlQuery): SqlQuery =>
  mapSelects(mapSelects(query, readFewInOne), (select) => {
    const [stored] = select.from
    if (stored?.table.kind !== "realTable") return select
    const reads = new Map<number, SqlSpare>()
    const found = mapSpares(select, (read) => {
      reads.set(read.spare, read)
      return column(stored.alias, toName(read))
    })
    if (reads.size === 0) return select
    const isTextRead = READS_TEXT.test(sameText(found)) && !select.pushed?.some(holdsSpare)
    return isTextRead ? mapSpares(select, readEither) : readApart(found, select, stored, reads)
  })

/**
 * `SELECT spare … ORDER BY time LIMIT 100` of one table: ClickHouse finds the rows first and reads the rest of those
 * alone, unless they come from two SELECTs.
 */
function readFewInOne(select: SqlSelect): SqlSelect {
  const [source, ...others] = select.from
  const reading = source?.table
  if (source === undefined || reading?.kind !== "sqlSelect" || reading.isReading !== true) return select
  const isPlain = select.groupBy.length === 0 && select.groupMode === null && !select.distinct
  const isOfFew = select.orderBy.length > 0 && select.limit !== null && select.limit <= MOST_OF_FEW
  const isOfOne = others.length === 0 && reading.from.length === 1 && select.arrayJoin === null
  if (!isPlain || !isOfFew || !isOfOne || reading.pushed?.some(holdsSpare)) return select
  const finding = sameText([select.where, ...select.orderBy.map(({ expression }) => toShown(expression, select))])
  const isToFind = reading.columns.some(
    (item) =>
      item.kind === "aliased" && holdsSpare(item) && finding.includes(sameText(column(source.alias, item.name))),
  )
  return isToFind ? select : { ...select, from: [{ ...source, table: mapSpares(reading, readEither) }] }
}

/** What an order is by, when it is by the name of a column of the SELECT. */
const toShown = (item: SqlExpression, { columns }: SqlSelect): SqlExpression =>
  (item.kind === "column" &&
    item.source === null &&
    columns.find((one) => one.kind === "aliased" && one.name === item.name)) ||
  item

const MOST_OF_FEW = 10_000

/** Whether anything of a SELECT reads the text. */
const READS_TEXT = /\br\.properties\b/

function readApart(
  found: SqlSelect,
  { guard, pushed = [] }: SqlSelect,
  stored: SqlSource,
  reads: ReadonlyMap<number, SqlSpare>,
): SqlSelect {
  const highest = sqlNumber(Math.max(...reads.keys()))
  const readRows = (readSpare: (read: SqlSpare) => SqlExpression, asked: Pick<SqlSelect, "pushed" | "where">) =>
    sqlSelect({
      columns: [trusted("r.*"), ...[...reads.values()].map((read) => aliased(readSpare(read), toName(read)))],
      from: [stored],
      ...(guard && { guard }),
      ...asked,
    })
  const first = readRows(readColumn, {
    pushed: [sqlCall("greaterOrEquals", COUNT, highest), ...pushed.map((item) => mapSpare(item, readColumn))],
    where: null,
  })
  const second = readRows(readText, {
    pushed: [sqlCall("less", COUNT, highest), ...pushed.filter((item) => !holdsSpare(item))],
    where: joinWithAnd(pushed.filter(holdsSpare).map((item) => mapSpare(item, readText))),
  })
  const table: SqlQuery = { kind: "sqlSet", first, rest: [{ operator: "UNION ALL", query: second }] }
  const { guard: _guard, pushed: _pushed, ...around } = found
  return { ...around, from: [{ ...stored, table }, ...found.from.slice(1)] }
}

/** What the value is called beside the columns of the table. */
const toName = ({ spare }: SqlSpare): string => `own_${spare}`

const COUNT = trusted(`r.${SPARE_COUNT_COLUMN}`)

const readColumn = ({ spare }: SqlSpare): SqlExpression => trusted(`r.${toSpareColumn(spare)}`)

const readText = ({ property }: SqlSpare): SqlExpression =>
  sqlCall("JSONExtract", trusted("r.properties"), sqlText(property), trusted("'Nullable(String)'"))

const readEither = (read: SqlSpare): SqlExpression =>
  sqlCall("if", sqlCall("greaterOrEquals", COUNT, sqlNumber(read.spare)), readColumn(read), readText(read))

const mapSpare = (item: SqlExpression, change: (read: SqlSpare) => SqlExpression): SqlExpression =>
  item.kind === "spare" ? change(item) : mapInner(item, (inner) => mapSpare(inner, change))

const mapSpares = (select: SqlSelect, change: (read: SqlSpare) => SqlExpression): SqlSelect =>
  mapClauses(select, (item) => mapSpare(item, change))

function holdsSpare(item: SqlExpression): boolean {
  let isFound = false
  mapSpare(item, (read) => {
    isFound = true
    return read
  })
  return isFound
}
