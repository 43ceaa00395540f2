import {
  type Expression,
  hasAggregate,
  nodes,
  type OrderItem,
  parseExpression,
  parseOrder,
  type Query,
} from "../../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../../kernel/json.js"
import { allOf, anyOf, filterCondition } from "../../insights/property-conditions.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { parsed, type ShownColumn, showRows } from "../../insights/shown-columns.js"
import { template } from "../../insights/template.js"
import type { QueryKind, RunScope } from "../../queries.types.js"
import { tableAnswerOf } from "../answer.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { type ActorSource, countMissing, readActorSource } from "./actor-source.js"

const { alias, call, compare, constant, field, order, select, source, tuple } = nodes

const DEFAULT_COLUMNS = ["person", "id", "created_at", "person.$delete"]
const DEFAULT_LIMIT = 100
const MAX_ROWS = 10_000

/** Kinds `ActorsQuery` and, as older clients name it, `PersonsQuery`: a table of persons (`reference/management.md` 7.8). */
export const createActorsQueryKind =
  (kind: "ActorsQuery" | "PersonsQuery") =>
  (runner: HogqlRunner): QueryKind => ({
    kind,
    async run(query, run) {
      const reader = new QueryReader(query, kind)
      const names = reader.texts("select", { max: 200 }) ?? []
      const { columns, ast, actors } = await orQueryFault(async () => {
        const found = await readActorSource(reader, runner, run)
        const shown = await Promise.all((names.length === 0 ? DEFAULT_COLUMNS : names).map(toColumn))
        return { columns: shown, ast: await personsSelect(reader, shown, found), actors: found }
      })
      const result = await runner.runNodes(ast, run, { isShown: true })
      const results = showRows(result.rows, columns)
      await addDistinctIds(results, columns, runner, run)
      const shown = columns.map(({ name }) => name)
      return tableAnswerOf(result, results, shown, { missing_actors_count: await countMissing(actors, runner, run) })
    },
  })

async function toColumn(text: string): Promise<ShownColumn> {
  const name = text.split("--")[0]?.trim() ?? ""
  // A place for a button, which clients fill.
  if (name === "person.$delete") return { name: text, expressions: [], cell: () => null }
  if (name !== "person" && name !== "actor")
    return { name: text, expressions: [await parseExpression(text)], cell: ([value]) => value ?? null }
  return {
    name: text,
    expressions: ["id", "created_at", "properties", "is_identified"].map((part) => field([part])),
    cell: ([id = null, created_at = null, properties, is_identified = null]) => ({
      ...{ id, uuid: id, created_at, properties: parsed(properties), is_identified, distinct_ids: [] },
    }),
  }
}

async function personsSelect(
  reader: QueryReader,
  columns: readonly ShownColumn[],
  actors: ActorSource | null,
): Promise<Query> {
  const expressions = columns.flatMap((column) => column.expressions)
  const isGrouped = expressions.some(hasAggregate)
  const plain = expressions.map((item) => (item.kind === "alias" ? item.expression : item))
  const written = await Promise.all((reader.texts("orderBy", { max: 50 }) ?? []).map(parseOrder))
  const orderBy: readonly OrderItem[] = written.length > 0 || isGrouped ? written : [order(field(["created_at"]), true)]
  return select({
    columns: expressions.map((item, index) => (item.kind === "alias" ? item : alias(`column_${index}`, item))),
    from: [source(field(["persons"])), ...(actors?.joins ?? [])],
    where: await conditions(reader, actors),
    groupBy: isGrouped ? plain.filter((item) => !hasAggregate(item)) : [],
    orderBy: isGrouped ? orderBy : [...orderBy, order(field(["id"]))],
    limit: constant(reader.integer("limit", { min: 1, max: MAX_ROWS }) ?? DEFAULT_LIMIT),
    offset: constant(reader.integer("offset", { min: 0 }) ?? 0),
  })
}

async function conditions(reader: QueryReader, actors: ActorSource | null): Promise<Expression> {
  const search = reader.text("search")?.trim() ?? ""
  return allOf([
    await filterCondition(reader.value("properties"), "persons"),
    await filterCondition(reader.value("fixedProperties"), "persons"),
    search === "" ? null : await searchCondition(search),
    actors?.condition ?? null,
  ])
}

async function searchCondition(search: string): Promise<Expression> {
  const pattern = constant(`%${search.replace(/[\\%_]/g, "\\$&")}%`)
  const byDistinctId = await template("SELECT person_id FROM person_distinct_ids WHERE distinct_id ILIKE {pattern}", {
    pattern,
  })
  return anyOf([
    ...[field(["properties", "email"]), field(["properties", "name"]), call("toString", [field(["id"])])].map(
      (subject) => compare("ilike", subject, pattern),
    ),
    compare("in", field(["id"]), byDistinctId),
  ])
}

/** Ids are looked up for the persons that are shown only: joining them would repeat each person per id. */
async function addDistinctIds(
  rows: Json[][],
  columns: readonly ShownColumn[],
  runner: HogqlRunner,
  run: RunScope,
): Promise<void> {
  const persons = rows.flatMap((row) =>
    row.flatMap((cell, index) => (isPerson(columns[index]) && isJsonObject(cell) ? [cell] : [])),
  )
  if (persons.length === 0) return
  const ids = tuple(persons.map(({ id = null }) => constant(String(id))))
  const ast = await template(
    `SELECT person_id, arraySort(groupArray(distinct_id)) FROM person_distinct_ids
     WHERE person_id IN {ids} GROUP BY person_id`,
    { ids },
  )
  const { rows: found } = await runner.runNodes(ast, run)
  const byPerson = new Map(found.map(([id, distinctIds]) => [String(id), distinctIds ?? []]))
  for (const person of persons) person.distinct_ids = byPerson.get(String(person.id)) ?? []
}

const isPerson = (column: ShownColumn | undefined): boolean => (column?.expressions.length ?? 0) > 1
