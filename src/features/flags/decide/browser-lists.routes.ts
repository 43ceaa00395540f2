import type { DirectRoute } from "../../../kernel/direct-route.types.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { ANY_OBJECT } from "../../../kernel/json-schema.js"
import { noteProject } from "../../../kernel/request-note.js"
import { listEarlyAccessFeatures } from "../early-access/list-features.js"
import type { KnownProjects } from "../projects/known-projects.store.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"

/**
 * Lists that browser SDKs ask for and of which no project has anything here (`docs/contract/sdk-wire.md#empty-lists`).
 */
const EMPTY_LISTS = [
  { path: "/api/surveys", field: "surveys" },
  { path: "/api/web_experiments", field: "experiments" },
  { path: "/api/product_tours", field: "product_tours" },
]

/** Lists for whoever has a project key: early access features come from the flags, all others are empty. */
export function createBrowserListRoutes(
  projects: Pick<KnownProjects, "findByKey">,
  rules: Pick<FlagRulesService, "rulesFor">,
): DirectRoute[] {
  const listAt = (
    path: string,
    field: string,
    summary: string,
    list: (projectId: ProjectId, query: URLSearchParams) => Promise<Json[]>,
  ): DirectRoute => ({
    path,
    methods: ["GET", "HEAD"],
    body: null,
    statuses: [200],
    doc: { summary, source: "docs/contract/sdk-wire.md#paths-that-sdks-call", responseSchema: ANY_OBJECT },
    answer: async ({ query, senderIp }) => {
      const projectId = await requireProject(projects, query, senderIp)
      return { status: 200, body: { [field]: await list(projectId, query) } }
    },
  })
  return [
    listAt(
      "/api/early_access_features",
      "earlyAccessFeatures",
      "Features that users may switch on for themselves: active flags with enrolment.",
      async (projectId, query) => {
        // From memory, as decisions are: a visit must neither read a store nor end because one is away.
        const compiled = await rules.rulesFor(projectId)
        if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
        return listEarlyAccessFeatures(compiled.document.flags, query.getAll("stage"))
      },
    ),
    ...EMPTY_LISTS.map(({ path, field }) =>
      listAt(
        path,
        field,
        "An empty list: there is nothing of the kind here, and browser SDKs go on without it.",
        async () => [],
      ),
    ),
  ]
}

/** @throws AppError no_project_key, invalid_project_key; store_unavailable. */
async function requireProject(
  projects: Pick<KnownProjects, "findByKey">,
  query: URLSearchParams,
  senderIp: string,
): Promise<ProjectId> {
  const token = query.get("token") ?? query.get("api_key") ?? ""
  if (token === "") throw new AppError("no_project_key", { attr: "token", detail: "Name the project key as token." })
  const project = await projects.findByKey(token, senderIp)
  if (project === null) throw new AppError("invalid_project_key", { attr: "token" })
  noteProject(project.projectId)
  return project.projectId
}
