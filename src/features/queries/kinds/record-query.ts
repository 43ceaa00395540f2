import type { QueryEngine, QueryStatement } from "../engine/query-engine.types.js"
import type { QueryAnswer, QueryKind, QueryObject, RunScope } from "../queries.types.js"
import { findKind } from "./find-kind.js"

/** Makes the kinds of query over an engine. */
export type KindsOver = (engine: QueryEngine) => readonly QueryKind[]

/** What a query would run. */
export interface RecordedQuery {
  /** The kind's answer to no rows at all. */
  readonly answer: QueryAnswer
  readonly statements: readonly QueryStatement[]
}

/**
 * Compiles a query of any kind without running it: the kind works over an engine that writes each statement down and
 * answers it with no rows.
 * @throws AppError invalid_input for a kind that does not exist, and what compiling throws
 */
export async function recordQuery(kindsOver: KindsOver, query: QueryObject, scope: RunScope): Promise<RecordedQuery> {
  const statements: QueryStatement[] = []
  const kinds = kindsOver({
    select: async (statement) => {
      statements.push(statement)
      const columns = (statement.compiled?.columns ?? []).map((name) => ({ name, type: "String" }))
      return { columns, rows: [], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }
    },
    progress: async () => null,
    kill: async () => undefined,
  })
  return { answer: await findKind(kinds, query).run(query, scope), statements }
}
