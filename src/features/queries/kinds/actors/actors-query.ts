import { type Expression, hasAggregate, nodes, parseOrder, type Query } from "../../../../hogql/index.js"
import { isJsonObject, type Json } from "../../../../kernel/json.js"
import { filterCondition, joinWithAnd, joinWithOr, toContainsPattern } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { nameColumns, type ShownColumn, showRows, toActorColumn, toGroupBy } from "../../insights/shown-columns.js"
import { template } from "../../insights/template.js"
import { toTableAnswer } from "../answer.js"
import type { KindContext } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readPage } from "../read-page.js"
import { type ActorSource, countMissing, readActorSource } from "./actor-source.js"

const { call, compare, constant, field, order, select, source, tuple } = nodes

const DEFAULT_COLUMNS = ["person", "id", "created_at", "person.$delete"]

const answer: KindDefinition["answer"] = async (reader, context) => {
  const names = reader.strings("select", { max: 200 }) ?? []
  const actors = await readActorSource(reader, context)
  const columns = (names.length === 0 ? DEFAULT_COLUMNS : names).map(toActorColumn)
  const result = await context.select(selectRows(reader, columns, actors), { isShown: true })
  const results = showRows(result.rows, columns)
  await addDistinctIds(results, columns, context)
  const shown = columns.map(({ name }) => name)
  return toTableAnswer(result, results, shown, { missing_actors_count: await countMissing(actors, context) })
}

/** Kind `ActorsQuery`: a table of persons (`docs/contract/queries.md#actors-queries`). */
export const actorsQuery: KindDefinition = { kind: "ActorsQuery", answer }
/** The same as older clients name it. */
export const personsQuery: KindDefinition = { kind: "PersonsQuery", answer }

function selectRows(reader: QueryReader, columns: readonly ShownColumn[], actors: ActorSource | null): Query {
  const expressions = columns.flatMap((column) => column.expressions)
  const isGrouped = expressions.some(hasAggregate)
  const written = (reader.strings("orderBy", { max: 50 }) ?? []).map(parseOrder)
  const orderBy = written.length > 0 || isGrouped ? written : [order(field(["created_at"]), true)]
  const { limit, offset } = readPage(reader, { defaultLimit: 100, maxLimit: 10_000 })
  return select({
    columns: nameColumns(expressions),
    from: [source(field(["persons"])), ...(actors?.joins ?? [])],
    where: readConditions(reader, actors),
    groupBy: toGroupBy(expressions),
    orderBy: isGrouped ? orderBy : [...orderBy, order(field(["id"]))],
    limit: constant(limit),
    offset: constant(offset),
  })
}

function readConditions(reader: QueryReader, actors: ActorSource | null): Expression {
  const search = reader.text("search")?.trim() ?? ""
  return joinWithAnd([
    filterCondition(reader.value("properties"), "persons"),
    filterCondition(reader.value("fixedProperties"), "persons"),
    search === "" ? null : toSearchCondition(search),
    actors?.condition ?? null,
  ])
}

function toSearchCondition(search: string): Expression {
  const pattern = constant(toContainsPattern(search))
  const subjects = [field(["properties", "email"]), field(["properties", "name"]), call("toString", [field(["id"])])]
  const byDistinctId = template("SELECT person_id FROM person_distinct_ids WHERE distinct_id ILIKE {pattern}", {
    pattern,
  })
  return joinWithOr([
    ...subjects.map((subject) => compare("ilike", subject, pattern)),
    compare("in", field(["id"]), byDistinctId),
  ])
}

/** Ids are looked up for the persons that are shown only: joining them would repeat each person per id. */
async function addDistinctIds(rows: Json[][], columns: readonly ShownColumn[], context: KindContext): Promise<void> {
  const persons = rows.flatMap((row) =>
    row.flatMap((cell, index) => (isPerson(columns[index]) && isJsonObject(cell) ? [cell] : [])),
  )
  if (persons.length === 0) return
  const { rows: found } = await context.select(
    template(
      `SELECT person_id, arraySort(groupArray(distinct_id)) FROM person_distinct_ids
       WHERE person_id IN {ids} GROUP BY person_id`,
      { ids: tuple(persons.map(({ id = null }) => constant(String(id)))) },
    ),
  )
  const byPerson = new Map(found.map(([id, distinctIds]) => [String(id), distinctIds ?? []]))
  for (const person of persons) person.distinct_ids = byPerson.get(String(person.id)) ?? []
}

const isPerson = (column: ShownColumn | undefined): boolean => (column?.expressions.length ?? 0) > 1
