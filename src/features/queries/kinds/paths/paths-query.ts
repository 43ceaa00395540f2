import { nodes, type Query } from "../../../../hogql/index.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindContext } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readPaths, selectEdges } from "./paths.js"

const { constant } = nodes

/** Kind `PathsQuery`: from which step to which actors go (`docs/contract/queries.md#pathsquery`). */
export const pathsQuery: KindDefinition = {
  kind: "PathsQuery",
  async answer(reader, context) {
    const found = await context.select(await selectWeights(reader, context))
    const results = found.rows.map(([source = null, target = null, value = 0, average = null]) => ({
      source,
      target,
      value,
      average_conversion_time: average,
    }))
    return toAnswer(results, [found])
  },
}

async function selectWeights(reader: QueryReader, context: KindContext): Promise<Query> {
  const filter = reader.object("pathsFilter")
  const [least, most] = [filter.integer("minEdgeWeight", { min: 0 }), filter.integer("maxEdgeWeight", { min: 0 })]
  return template(
    `SELECT source, target, count() AS value, avg(micros) / 1000 AS average FROM {edges}
     GROUP BY source, target HAVING value >= {least} AND value <= {most}
     ORDER BY value DESC, source, target LIMIT {limit}`,
    {
      edges: selectEdges(await readPaths(reader, context)),
      least: constant(least ?? 0),
      most: constant(most ?? Number.MAX_SAFE_INTEGER),
      limit: constant(filter.integer("edgeLimit", { min: 1, max: 1000 }) ?? 50),
    },
  )
}
