import type { ProjectId } from "../../../kernel/ids.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import type { QueryObject } from "../queries.types.js"

/** Scopes that a query needs beside `query:read` (`docs/contract/queries.md#scopes-of-a-query`). */
export const listDemandedScopes = (query: QueryObject): readonly string[] =>
  query.kind === "HogQLQuery" && query.explain === true ? ["query:write"] : []

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
