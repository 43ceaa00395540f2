import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { FlagRulesService } from "./flag-rules.service.js"
import { presentDefinitions } from "./present/definitions.js"

/** What SDKs that evaluate flags themselves fetch. */
export interface FlagDefinitions {
  /** @throws AppError store_unavailable when nobody knows the project's rules just now. */
  read(projectId: ProjectId, withCohorts: boolean): Promise<{ revision: string; body: JsonObject }>
}

/** Makes the definitions of a project from its rules, so that local and server-side evaluation start from the same. */
export function createFlagDefinitions(rules: Pick<FlagRulesService, "rulesFor">): FlagDefinitions {
  return {
    read: async (projectId, withCohorts) => {
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const { document } = compiled
      const revision = `${projectId}-${document.version}${withCohorts ? "-cohorts" : ""}`
      return { revision, body: presentDefinitions(document, withCohorts) }
    },
  }
}
