import type { JsonObject } from "../../../../kernel/json.js"
import type {
  ActorsResultType,
  HogQLResultType,
  PropertyValuesResultType,
  TableResultType,
} from "../results/tables.graphql.js"
import { readCount, readList, readNumber, readObjects, readText } from "./read-json.js"

/** The part of an answer that is a table's own. */
type TablePart = Pick<TableResultType, "columns" | "rows" | "hasMore" | "limit" | "offset">

/** `{columns, types, results, …}`, whose types are texts, or of HogQL pairs of name and type. */
export function showTable({ columns, types, results, hasMore, limit, offset }: JsonObject): TablePart {
  const names = readList(columns)
  const known = readList(types)
  return {
    columns: names.map((name, index) => {
      const type = known[index]
      // Objects of several columns have a type for each of their parts, and none as a whole.
      const own = known.length === names.length ? readText(Array.isArray(type) ? type[1] : type) : null
      return { name: String(name), type: own }
    }),
    rows: readList(results).map((row) => [...readList(row)]),
    hasMore: hasMore === true,
    limit: readNumber(limit),
    offset: readNumber(offset),
  }
}

/** The answer of a HogQLQuery: its rows, and the SQL and plan where they were asked for. */
export const showHogql = (answer: JsonObject): TablePart & Pick<HogQLResultType, "clickhouse" | "explain"> => ({
  ...showTable(answer),
  clickhouse: readText(answer.clickhouse),
  explain: Array.isArray(answer.explain) ? answer.explain.map(String) : null,
})

/** The answer of an ActorsQuery: its rows, and how many actors have no record any more. */
export const showActors = (answer: JsonObject): TablePart & Pick<ActorsResultType, "missingActorsCount"> => ({
  ...showTable(answer),
  missingActorsCount: readCount(answer.missing_actors_count),
})

/** The answer of a PropertyValuesQuery, `{results: [{name, count}]}`. */
export const showPropertyValues = ({ results }: JsonObject): Pick<PropertyValuesResultType, "values"> => ({
  values: readObjects(results).map(({ name, count }) => ({ value: name ?? null, count: readCount(count) })),
})
