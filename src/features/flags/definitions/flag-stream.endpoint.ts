import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { KnownProjects } from "../projects/known-projects.store.js"
import type { RulesRevision } from "./watch-rules.js"

/** Revisions of the flags of a project. */
export interface FlagStream {
  readonly projectId: ProjectId
  readonly revisions: AsyncIterableIterator<RulesRevision>
}

/**
 * Revisions of the flags of the project that the query parameter `token` names; whoever has the project key may listen.
 * @throws AppError no_project_key, invalid_project_key; store_unavailable when it cannot be told whether the key exists.
 */
export type FlagStreamEndpoint = (query: URLSearchParams, senderIp: string) => Promise<FlagStream>

/** Makes the endpoint that pushes changes of a project's rules. */
export function createFlagStreamEndpoint(
  projects: Pick<KnownProjects, "findByKey">,
  watch: (projectId: ProjectId) => AsyncIterableIterator<RulesRevision>,
): FlagStreamEndpoint {
  return async (query, senderIp) => {
    const token = query.get("token") ?? ""
    if (token === "") throw new AppError("no_project_key", { attr: "token", detail: "Name the project key as token." })
    const project = await projects.findByKey(token, senderIp)
    if (project === null) throw new AppError("invalid_project_key", { attr: "token" })
    return { projectId: project.projectId, revisions: watch(project.projectId) }
  }
}
