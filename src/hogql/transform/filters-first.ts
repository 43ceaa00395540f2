import { isPropertyColumn, PERSON_LOOKUP_PROPERTY, toPropertyColumn } from "../../kernel/property-columns.js"
import { sameText } from "../nodes/same-text.js"
import { mapClauses, mapInner, mapSelects } from "../sql/map-queries.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
  sqlCall,
  sqlJoin,
  sqlSelect,
  trusted,
} from "../sql/sql.js"
import { canHold, isPropertyText, isTotal } from "./outcomes.js"
import { FEW, isAmongFew, isEventsPerson, toIndexedTest, toStoredTest } from "./person-membership.js"
import { isConstant, isLiteral, joinWithAnd, KEEPS_ROWS, listConjuncts } from "./predicate-pushdown.js"

/** Stored tables whose rows are joined to events by a key that each of them has once. */
const JOINED_BY_KEY: ReadonlySet<string> = new Set(["persons", "groups"])

/**
 * Selective filters first: a condition on the person or group of an event becomes one on the ids of those that fulfil
 * it, which is asked of the stored event before long columns are read, in place of a join with all of them (decision
 * 0066):
 *
 *     WHERE person.properties.email = 'a'
 *     PREWHERE person_id IN (SELECT id FROM persons WHERE properties.email = 'a')
 *
 * Done for conditions that stand alone or are joined by AND, and that cannot hold where there is no such person or
 * group.
 */
export const askFiltersFirst = (query: SqlQuery): SqlQuery =>
  mapSelects(query, (select) => {
    const found = findReading(select)
    return found === null ? select : moveConditions(select, found)
  })

interface Reading {
  readonly source: SqlSource
  readonly reading: SqlSelect
}

/** The subquery that reads a stored table and joins to it what the SELECT asks for, when rows may be dropped in it. */
function findReading({ from: [source, ...others], where }: SqlSelect): Reading | null {
  const reading = source?.table
  if (source === undefined || reading?.kind !== "sqlSelect" || reading.isReading !== true || where === null) return null
  const [stored, ...joined] = reading.from
  const keepsRows = others.every(({ join }) => KEEPS_ROWS.test(join ?? ""))
  if (stored?.table.kind !== "realTable" || !keepsRows || joined.some(({ join }) => join !== "LEFT JOIN")) return null
  return { source, reading }
}

function moveConditions(select: SqlSelect, { source, reading }: Reading): SqlSelect {
  const ofJoins = new Map<SqlSource, SqlExpression[]>()
  const early: SqlExpression[] = []
  const late: SqlExpression[] = []
  const isWide = reading.columns.some(isLong)
  const kept = listConjuncts(select.where ?? trusted("1")).filter((condition) => {
    const read = toReading(condition, select, source.alias, reading)
    const ofPerson = read && testPerson(read, reading, isWide)
    if (ofPerson !== null) early.push(ofPerson)
    const join = read && ofPerson === null ? findJoin(read, reading) : null
    if (read !== null && join !== null) ofJoins.set(join, [...(ofJoins.get(join) ?? []), read])
    return ofPerson === null && join === null
  })
  const narrowed = new Map<SqlSource, SqlSource>()
  for (const [join, conditions] of ofJoins) {
    const { owner, key, query } = readJoin(join, conditions)
    const inside = (item: SqlExpression): SqlExpression => sqlCall("in", item, { kind: "query", query })
    const isOfFew = isEventsPerson(owner) && conditions.some((condition) => isLookup(condition, join.alias))
    const indexed = isOfFew ? toIndexedTest(reading, (item) => isAmongFew(item, query)) : null
    if (indexed !== null) early.push(indexed)
    const ofPerson = isWide && isEventsPerson(owner) ? toStoredTest(reading, inside) : null
    if (ofPerson !== null) early.push(ofPerson)
    else if (isEventsPerson(owner)) late.push(inside(owner))
    else early.push(inside(owner))
    narrowed.set(join, narrowJoin(join, key, inside))
  }
  if (early.length === 0 && late.length === 0) return select
  const outer = { ...select, where: joinWithAnd(kept) }
  const from = reading.from.map((joined) => narrowed.get(joined) ?? joined)
  const asked = {
    ...(early.length > 0 && { pushed: [...(reading.pushed ?? []), ...early] }),
    where: joinWithAnd([...(reading.where === null ? [] : [reading.where]), ...late]),
  }
  const filtered = { ...reading, ...asked, from }
  const table = dropUnused(filtered, outer, source.alias)
  return { ...outer, from: [{ ...source, table }, ...select.from.slice(1)] }
}

/** Whether a column has so much in it that rows are better left out before it is read, at the price of asking twice. */
const isLong = (item: SqlExpression): boolean =>
  item.kind === "aliased" &&
  item.expression.kind === "trusted" &&
  /\br\.(?:properties|person_properties|elements_chain)\b/.test(item.expression.sql)

/** A condition in terms of the stored table and what is joined to it; null for one with more, or that may fail. */
function toReading(
  condition: SqlExpression,
  select: SqlSelect,
  alias: string,
  reading: SqlSelect,
): SqlExpression | null {
  let isKnown = true
  const resolve = (item: SqlExpression): SqlExpression => {
    if (item.kind === "column") {
      const columns = item.source === alias ? reading.columns : item.source === null ? select.columns : []
      const found = columns.find((one) => one.kind === "aliased" && one.name === item.name)
      if (found?.kind !== "aliased") isKnown = false
      else return item.source === null ? resolve(found.expression) : found.expression
    }
    if (item.kind === "query") return item
    if (isConstant(item)) return item
    if (item.kind === "call") isKnown &&= isTotal(item) || item.name === "tuple"
    else if (item.kind !== "trusted") isKnown = false
    return isKnown ? mapInner(item, resolve) : item
  }
  const read = resolve(condition)
  return isKnown ? read : null
}

/**
 * A condition on the person of an event alone, asked of the stored event; null for any other. It is asked twice, which
 * for a query is worth it when rows are long.
 */
function testPerson(condition: SqlExpression, reading: SqlSelect, isWide: boolean): SqlExpression | null {
  if (condition.kind !== "call" || (condition.name !== "equals" && condition.name !== "in")) return null
  const [subject, value] = condition.args
  if (subject === undefined || value === undefined || !isEventsPerson(subject)) return null
  if (!(value.kind === "query" ? isWide && isRepeatable(value.query) : isConstant(value))) return null
  const test = (personId: SqlExpression): SqlExpression => ({ ...condition, args: [personId, value] })
  const stored = toStoredTest(reading, test)
  const indexed = isFewValues(value) ? toIndexedTest(reading, test) : null
  return stored && indexed ? sqlCall("and", indexed, stored) : stored
}

/** Whether a query gives the same rows each time that it is run in a statement. */
function isRepeatable(query: SqlQuery): boolean {
  let isSo = true
  const check = (item: SqlExpression): SqlExpression => {
    if (item.kind === "call") isSo &&= isTotal(item) || isConstant(item)
    if (item.kind === "window" || item.kind === "lambda") isSo = false
    return item.kind === "query" || isConstant(item) ? item : mapInner(item, check)
  }
  mapSelects(query, (select) => {
    const isCut = select.limit !== null || select.limitBy !== null || select.offset !== null
    isSo &&= !isCut && select.recursive === null && select.arrayJoin === null
    mapClauses(select, check)
    return select
  })
  return isSo
}

/** The join that has all columns of a condition, when the condition cannot hold for an event without a row of it. */
function findJoin(condition: SqlExpression, reading: SqlSelect): SqlSource | null {
  if (sameText(condition).includes('"kind":"query"')) return null
  const [, ...joins] = reading.from
  const join = joins.find(({ alias }) => sameText(condition).includes(`"source":"${alias}"`))
  if (join === undefined || !isByKey(join) || !isAbout(condition, join.alias)) return null
  return canHold(condition, (item) => isNullWithoutRow(item, join.alias)) ? null : join
}

/** Whether a table is joined by a key that each of its rows has once. */
const isByKey = ({ table, on }: SqlSource): boolean =>
  table.kind === "sqlSelect" &&
  table.from.every(
    ({ table: stored, isFinal }) => isFinal && stored.kind === "realTable" && JOINED_BY_KEY.has(stored.name),
  ) &&
  on?.kind === "call" &&
  on.name === "equals"

/** Whether an expression has no columns but those of one join. */
function isAbout(item: SqlExpression, alias: string): boolean {
  if (item.kind === "column") return item.source === alias
  if (item.kind === "trusted") return isLiteral(item)
  return item.kind === "call" ? item.args.every((arg) => isAbout(arg, alias)) : true
}

/** What the compiler reads of a joined row so that it is null where there is none. */
function isNullWithoutRow(item: SqlExpression, alias: string): boolean {
  if (item.kind === "column") return item.source === alias && isPropertyColumn(item.name)
  if (item.kind !== "call") return false
  const [first, second] = item.args
  if (isPropertyText(item)) return first?.kind === "column" && first.source === alias
  const isOptional = item.name === "if" && second?.kind === "trusted" && second.sql === "NULL"
  return isOptional && first?.kind === "call" && first.name === "empty"
}

/** Whether a condition names values of the property that persons are found by. */
function isLookup(condition: SqlExpression, alias: string): boolean {
  if (condition.kind !== "call") return false
  const { name, args } = condition
  const [first, second] = args
  if (first === undefined || second === undefined) return false
  if (name === "ifNull") return isLookup(first, alias)
  const [key, value] = name === "equals" && isConstant(first) ? [second, first] : [first, second]
  const isKey = key.kind === "column" && key.source === alias && key.name === toPropertyColumn(PERSON_LOOKUP_PROPERTY)
  return (name === "equals" || name === "in") && isKey && isFewValues(value)
}

/** A constant, or a short list of them. */
const isFewValues = (value: SqlExpression): boolean =>
  isConstant(value) && !(value.kind === "call" && value.name === "tuple" && value.args.length > FEW)

/** The column that a table is joined to, its key, and the keys of the rows that fulfil conditions. */
function readJoin(join: SqlSource, conditions: readonly SqlExpression[]) {
  const [owner, key] = join.on?.kind === "call" ? join.on.args : []
  if (owner === undefined || key?.kind !== "column") throw new Error("a table is joined by an equality with its key")
  // Under an alias of its own, as the join may go away.
  const rename = (item: SqlExpression): SqlExpression =>
    item.kind === "column" && item.source === join.alias ? column("k", item.name) : mapInner(item, rename)
  const query = sqlSelect({
    columns: [rename(key)],
    from: [{ table: join.table, alias: "k", join: null, on: null }],
    where: sqlJoin("and", conditions.map(rename)),
  })
  return { owner, key: key.name, query }
}

/** The same join with the rows alone that are looked for. */
function narrowJoin(join: SqlSource, key: string, inside: (item: SqlExpression) => SqlExpression): SqlSource {
  const { table } = join
  const selected =
    table.kind === "sqlSelect" && table.columns.find((item) => item.kind === "aliased" && item.name === key)
  if (table.kind !== "sqlSelect" || !selected || selected.kind !== "aliased") return join
  return { ...join, table: { ...table, pushed: [...(table.pushed ?? []), inside(selected.expression)] } }
}

/** Without columns that nobody asks for any more, and without joins that only they needed. */
function dropUnused(reading: SqlSelect, outer: SqlSelect, alias: string): SqlSelect {
  const around = sameText({ ...outer, from: outer.from.map((source, index) => (index === 0 ? null : source)) })
  const isUsed = (name: string) => around.includes(sameText(column(alias, name)))
  const columns = reading.columns.filter((item) => item.kind === "aliased" && isUsed(item.name))
  let left: SqlSelect = { ...reading, columns: columns.length > 0 ? columns : [aliased(trusted("1"), "one")] }
  for (const join of reading.from.slice(1).reverse()) {
    const others = left.from.filter((source) => source !== join)
    const rest = sameText({ ...left, from: others })
    if (!rest.includes(`"source":"${join.alias}"`) && !rest.includes(`${join.alias}.`)) left = { ...left, from: others }
  }
  return left
}
