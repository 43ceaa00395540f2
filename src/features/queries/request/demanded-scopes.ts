import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import type { QueryObject } from "../queries.types.js"
import type { QueryRun } from "../runs/query-run.js"

const RECORD_TABLES = [
  "system.feature_flags",
  "system.cohorts",
  "system.actions",
  "system.session_recording_playlists",
  "system.insights",
  "system.dashboards",
  "system.group_types",
  "system.project",
] as const
/** A table of HogQL whose rows are records of the project (`docs/contract/queries.md#tables-of-records`). */
export type RecordTable = (typeof RECORD_TABLES)[number]

const RECORD_SCOPES: Readonly<Record<RecordTable, string>> = {
  "system.feature_flags": "feature_flag:read",
  "system.cohorts": "cohort:read",
  "system.actions": "action:read",
  "system.session_recording_playlists": "session_recording_playlist:read",
  "system.insights": "insight:read",
  "system.dashboards": "dashboard:read",
  "system.group_types": "group:read",
  "system.project": "project:read",
}
const NAMED = /\bsystem["`]?\s*\.\s*["`]?(\w+)/g

/**
 * Tables of records that a query may read: those that any text in it names. A text that only looks so counts as well;
 * a name that is written otherwise, with a comment inside say, is refused when the query is compiled.
 */
export function listRecordTables(query: Json): readonly RecordTable[] {
  const named = new Set<string>()
  const search = (part: Json): void => {
    if (typeof part === "string") for (const [, name] of part.matchAll(NAMED)) named.add(`system.${name}`)
    else if (Array.isArray(part)) part.forEach(search)
    else if (isJsonObject(part)) Object.values(part).forEach(search)
  }
  search(query)
  return RECORD_TABLES.filter((table) => named.has(table))
}

/** Scopes that a query needs beside `query:read` (`docs/contract/queries.md#scopes-of-a-query`). */
export function listDemandedScopes(query: QueryObject): readonly string[] {
  const records = listRecordTables(query).map((table) => RECORD_SCOPES[table])
  return query.kind === "HogQLQuery" && query.explain === true ? ["query:write", ...records] : records
}

/**
 * Refuses a query that its caller may not ask, or of which they may not see the answer.
 * @throws AppError permission_denied naming the scope
 */
export async function requireDemandedScopes(
  context: RequestContext,
  projectId: ProjectId,
  query: QueryObject,
): Promise<void> {
  for (const scope of listDemandedScopes(query)) await context.access.requireProject(context, String(projectId), scope)
}

/** A run, for a caller who may see its answer. @throws AppError permission_denied naming the scope that is missing. */
export async function requireVisible(context: RequestContext, run: QueryRun): Promise<QueryRun> {
  await requireDemandedScopes(context, run.projectId, run.request.query)
  return run
}
