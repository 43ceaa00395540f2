import type { QueryAnswer, QueryKind, QueryObject, RunScope } from "../queries.types.js"
import type { QueryEngine, QueryStatement } from "./query-engine.types.js"

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
 * answers it with no rows. Null for a kind that does not exist.
 * @throws what compiling throws
 */
export async function recordQuery(
  kindsOver: KindsOver,
  query: QueryObject,
  scope: RunScope,
): Promise<RecordedQuery | null> {
  const statements: QueryStatement[] = []
  const kind = kindsOver({
    select: async (statement) => {
      statements.push(statement)
      const columns = (statement.compiled?.columns ?? []).map((name) => ({ name, type: "String" }))
      return { columns, rows: [], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }
    },
    progress: async () => null,
    kill: async () => undefined,
  }).find(({ kind: name }) => name === query.kind)
  return kind === undefined ? null : { answer: await kind.run(query, scope), statements }
}
