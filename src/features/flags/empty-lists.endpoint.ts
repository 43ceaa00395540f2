import { AppError } from "../../kernel/errors.js"
import type { DecideReply } from "./decide.endpoint.js"
import type { KnownProjects } from "./known-projects.store.js"

/** Lists that browser SDKs ask for when a project has such things; here no project has (`reference/sdk-wire.md` 2). */
const EMPTY_LISTS: Readonly<Record<string, string>> = {
  "early-access-features": "earlyAccessFeatures",
  surveys: "surveys",
  "web-experiments": "experiments",
  "product-tours": "product_tours",
}

export interface EmptyListCall {
  readonly surface: string
  readonly query: URLSearchParams
}

/** Answers an empty list to whoever has a project key. @throws AppError no_project_key, invalid_project_key. */
export type EmptyListEndpoint = (call: EmptyListCall) => Promise<DecideReply>

export function createEmptyListEndpoint(projects: Pick<KnownProjects, "findByKey">): EmptyListEndpoint {
  return async ({ surface, query }) => {
    const name = EMPTY_LISTS[surface]
    if (name === undefined) throw new AppError("not_found")
    const token = query.get("token") ?? query.get("api_key") ?? ""
    if (token === "") throw new AppError("no_project_key", { attr: "token", detail: "Name the project key as token." })
    if ((await projects.findByKey(token)) === null) throw new AppError("invalid_project_key", { attr: "token" })
    return { status: 200, body: { [name]: [] } }
  }
}
