import type { JsonObject } from "../../../../kernel/json.js"
import type { ActorsResultType, HogQLResultType, TableResultType } from "../results/tables.graphql.js"
import {
  type WebNumberType,
  type WebOverviewItemType,
  type WebStatsResultType,
  WebUnitEnum,
} from "../results/web.graphql.js"
import { readChoice, readCount, readLabel, readList, readNumber, readObjects, readText } from "./read-json.js"

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

export const showHogql = (answer: JsonObject): TablePart & Pick<HogQLResultType, "clickhouse" | "explain"> => ({
  ...showTable(answer),
  clickhouse: readText(answer.clickhouse),
  explain: Array.isArray(answer.explain) ? answer.explain.map(String) : null,
})

export const showActors = (answer: JsonObject): TablePart & Pick<ActorsResultType, "missingActorsCount"> => ({
  ...showTable(answer),
  missingActorsCount: readCount(answer.missing_actors_count),
})

export const showWebOverview = ({ results }: JsonObject): { items: WebOverviewItemType[] } => ({
  items: readObjects(results).map(({ key, kind, value, previous, changeFromPreviousPct, isIncreaseBad }) => ({
    key: readLabel(key),
    unit: readChoice(kind, WebUnitEnum),
    current: readNumber(value),
    previous: readNumber(previous),
    changePercent: readNumber(changeFromPreviousPct),
    isIncreaseBad: isIncreaseBad === true,
  })),
})

/** Rows `[value, [visitors, before], …]`, in the order that `columns` names. */
export function showWebStats(answer: JsonObject): Pick<WebStatsResultType, "rows" | "hasMore"> {
  const names = readList(answer.columns)
  const rows = readList(answer.results).map((row) => {
    const cells = readList(row)
    const show = (name: string): WebNumberType | null => {
      const index = names.indexOf(`context.columns.${name}`)
      const [current, previous] = readList(cells[index])
      return index < 0 ? null : { current: readNumber(current), previous: readNumber(previous) }
    }
    return {
      value: readText(cells[0]),
      visitors: show("visitors"),
      views: show("views"),
      bounceRate: show("bounce_rate"),
    }
  })
  return { rows, hasMore: answer.hasMore === true }
}
