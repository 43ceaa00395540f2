import { nodes, type Query } from "../../../../hogql/index.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { QueryKind, RunScope } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { edgesOf, readPaths } from "./paths.js"

const { constant } = nodes

/** Kind `PathsQuery`: from which step to which actors go (`reference/management.md` 7.8). */
export function createPathsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "PathsQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "PathsQuery")
      const ast = await orQueryFault(() => edgesSelect(reader, runner, run))
      const answer = await runner.runNodes(ast, run)
      const results = answer.rows.map(([source = null, target = null, value = 0, averageMs = null]) => ({
        ...{ source, target, value, average_conversion_time: averageMs },
      }))
      return answerOf(results, [answer])
    },
  }
}

async function edgesSelect(reader: QueryReader, runner: HogqlRunner, run: RunScope): Promise<Query> {
  const filter = reader.object("pathsFilter")
  const [least, most] = [filter.integer("minEdgeWeight", { min: 0 }), filter.integer("maxEdgeWeight", { min: 0 })]
  return template(
    `SELECT source, target, count() AS value, avg(micros) / 1000 AS average FROM {edges}
     GROUP BY source, target HAVING value >= {least} AND value <= {most}
     ORDER BY value DESC, source, target LIMIT {limit}`,
    {
      edges: await edgesOf(await readPaths(reader, runner, run)),
      least: constant(least ?? 0),
      most: constant(most ?? Number.MAX_SAFE_INTEGER),
      limit: constant(filter.integer("edgeLimit", { min: 1, max: 1000 }) ?? 50),
    },
  )
}
