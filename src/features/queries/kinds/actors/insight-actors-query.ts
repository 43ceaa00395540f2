import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { QueryKind } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { type ActorKind, personsOf } from "./insight-actors.js"

/** Kinds `InsightActorsQuery`, `FunnelsActorsQuery` and `FunnelCorrelationActorsQuery`: the ids of the persons behind one point of an insight. */
export const createInsightActorsKind =
  (kind: ActorKind) =>
  (runner: HogqlRunner): QueryKind => ({
    kind,
    async run(query, run) {
      const reader = new QueryReader(query, kind)
      const ast = await orQueryFault(async () =>
        template("SELECT actor_id, event_count FROM {persons} ORDER BY event_count DESC, actor_id", {
          persons: await personsOf(reader, kind, runner, run),
        }),
      )
      const result = await runner.runNodes(ast, run)
      const { limit, offset, columns } = result.compiled
      const results = result.rows.map((row) => [...row])
      return answerOf(results, [result], { columns: [...columns], hasMore: result.hasMore, limit, offset })
    },
  })
