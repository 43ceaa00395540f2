import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { FindBriefScope } from "./execution/brief-scope.js"
import { type KindsOver, recordQuery } from "./kinds/record-query.js"
import type { QueryKind, QueryObject } from "./queries.types.js"
import { toQueryRequest } from "./request/query-request.js"

const MOST_FREQUENT = `SELECT event, count() FROM events WHERE timestamp > now() - INTERVAL 30 DAY
GROUP BY event ORDER BY count() DESC, event LIMIT 1`

/** What SQL is to be drafted from. */
export interface DraftRequest {
  /** A query object of any kind. */
  readonly query?: Json | undefined
  /** Words; refused. */
  readonly prompt?: string | null | undefined
}

export interface DraftSqlDependencies {
  readonly kinds: readonly QueryKind[]
  readonly kindsOver: KindsOver
  readonly findScope: FindBriefScope
}

export type DraftSql = ReturnType<typeof createDraftSql>

/** Drafts HogQL: what a query compiles to, or something to start from. */
export function createDraftSql({ kinds, kindsOver, findScope }: DraftSqlDependencies) {
  async function toHogql(projectId: ProjectId, query: QueryObject): Promise<string> {
    const recorded = await recordQuery(kindsOver, query, await findScope(projectId))
    const texts = recorded.statements.flatMap(({ compiled }) => (compiled === undefined ? [] : [compiled.hogql]))
    if (texts.length > 0) return texts.join(";\n\n")
    throw new AppError("invalid_input", { attr: "query__kind", detail: `${query.kind} runs no SQL.` })
  }

  /** Counts the project's most frequent event of the last 30 days by day; every event when there is none. */
  async function starter(projectId: ProjectId): Promise<string> {
    const kind = kinds.find(({ kind: name }) => name === "HogQLQuery")
    const answer = await kind?.run({ kind: "HogQLQuery", query: MOST_FREQUENT }, await findScope(projectId))
    const [first] = (answer?.results ?? []) as string[][]
    const condition = first?.[0] === undefined ? "" : `event = ${toHogqlText(first[0])} AND `
    return [
      "SELECT toStartOfDay(timestamp) AS day, count() AS events, count(DISTINCT person_id) AS persons",
      "FROM events",
      `WHERE ${condition}timestamp > now() - INTERVAL 30 DAY`,
      "GROUP BY day",
      "ORDER BY day",
    ].join("\n")
  }

  /** @throws AppError invalid_input for a prompt, and every fault of the query. */
  return async (projectId: ProjectId, { query, prompt }: DraftRequest): Promise<string> => {
    if (prompt != null && prompt !== "")
      throw new AppError("invalid_input", {
        attr: "prompt",
        detail:
          "No language model is part of Waymark, so words cannot be turned into SQL. Send query, an insight as JSON, or no parameter at all.",
      })
    return query == null ? starter(projectId) : toHogql(projectId, toQueryRequest({ query }).query)
  }
}

const toHogqlText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
