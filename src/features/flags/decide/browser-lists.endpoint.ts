import { AppError } from "../../../kernel/errors.js"
import { earlyAccessFeatures } from "../present/early-access.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import type { DecideReply } from "./decide.endpoint.js"
import type { KnownProjects } from "./known-projects.store.js"

/** Lists that browser SDKs ask for and of which no project has anything here (`reference/sdk-wire.md` 2). */
const EMPTY_LISTS: Readonly<Record<string, string>> = {
  surveys: "surveys",
  "web-experiments": "experiments",
  "product-tours": "product_tours",
}

/** A call of one of the lists. */
export interface BrowserListCall {
  readonly surface: string
  readonly query: URLSearchParams
}

/**
 * Answers a list to whoever has a project key.
 * @throws AppError no_project_key, invalid_project_key; store_unavailable.
 */
export type BrowserListEndpoint = (call: BrowserListCall) => Promise<DecideReply>

/** Makes the endpoint; early access features come from the flags, all other lists are empty. */
export function createBrowserListEndpoint(
  projects: Pick<KnownProjects, "findByKey">,
  rules: Pick<FlagRulesService, "rulesFor">,
): BrowserListEndpoint {
  return async ({ surface, query }) => {
    const name = EMPTY_LISTS[surface]
    if (name === undefined && surface !== "early-access-features") throw new AppError("not_found")
    const token = query.get("token") ?? query.get("api_key") ?? ""
    if (token === "") throw new AppError("no_project_key", { attr: "token", detail: "Name the project key as token." })
    const project = await projects.findByKey(token)
    if (project === null) throw new AppError("invalid_project_key", { attr: "token" })
    if (name !== undefined) return { status: 200, body: { [name]: [] } }
    // From memory, as decisions are: a visit must neither read a store nor end because one is away.
    const compiled = await rules.rulesFor(project.projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    const features = earlyAccessFeatures(compiled.document.flags, query.getAll("stage"))
    return { status: 200, body: { earlyAccessFeatures: features } }
  }
}
