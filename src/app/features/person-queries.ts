import type { RunHogql } from "../../features/persons/index.js"
import type { createQueriesFeature } from "../../features/queries/index.js"
import type { Json } from "../../kernel/json.js"

type QueriesService = ReturnType<typeof createQueriesFeature>["service"]

/** Lets a feature below queries ask one: calculated, or not older than a cached answer may be. */
export function createPersonQueries(queries: Pick<QueriesService, "run">): RunHogql {
  return async (projectId, query) => {
    const answer = await queries.run(projectId, {
      query: { ...query, kind: "HogQLQuery" },
      clientQueryId: null,
      refresh: "force_blocking",
    })
    const { results } = answer
    return Array.isArray(results) ? (results.filter(Array.isArray) as Json[][]) : []
  }
}
