import { showSql } from "../../../hogql/index.js"
import type { QueryAnswer } from "../queries.types.js"
import type { HogqlResult } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"

/** Kind `HogQLQuery`: a SELECT text, compiled and run (`docs/contract/queries.md#hogqlquery`). */
export const hogqlQuery: KindDefinition = {
  kind: "HogQLQuery",
  async answer(reader, context) {
    const filters = reader.object("filters")
    const dateRange = filters.object("dateRange")
    const result = await context.selectText({
      text: reader.requiredText("query"),
      filters: {
        dateRange: { date_from: dateRange.text("date_from"), date_to: dateRange.text("date_to") },
        properties: filters.value("properties"),
        filterTestAccounts: filters.flag("filterTestAccounts"),
      },
      values: reader.object("values").json,
      variables: reader.object("variables").json,
    })
    const answer = toHogqlAnswer(result)
    if (!reader.flag("explain")) return answer
    return { ...answer, clickhouse: showSql(result.compiled), explain: await context.explain(result.compiled) }
  },
}

function toHogqlAnswer({ compiled, types, rows, hasMore, elapsedMs }: HogqlResult): QueryAnswer {
  const { limit, offset, columns, hogql, warnings } = compiled
  return {
    results: rows,
    columns: [...columns],
    types: columns.map((column, index) => [column, types[index] ?? ""]),
    hogql,
    // The generated SQL shows how tables are stored: it is told to those alone who ask for it and may see it.
    clickhouse: null,
    timings: [{ k: "./engine", t: elapsedMs / 1000 }],
    hasMore,
    limit,
    offset,
    warnings: [...warnings],
    modifiers: {},
    error: null,
    explain: null,
    metadata: null,
  }
}
