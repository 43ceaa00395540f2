import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { FlagRulesService } from "./flag-rules.service.js"
import { presentDefinitions, revisionOf } from "./present/definitions.js"

/** What SDKs that evaluate flags themselves fetch. */
export interface FlagDefinitions {
  /**
   * Definitions with their revision; `body` is null for who names that revision as the one they have.
   * @throws AppError store_unavailable when nobody knows the project's rules just now.
   */
  read(projectId: ProjectId, withCohorts: boolean, knownRevision?: string | null): Promise<Definitions>
}

export interface Definitions {
  /** Changes whenever the definitions do. */
  readonly revision: string
  readonly body: JsonObject | null
}

/** Makes the definitions of a project from its rules, so that local and server-side evaluation start from the same. */
export function createFlagDefinitions(rules: Pick<FlagRulesService, "rulesFor">): FlagDefinitions {
  return {
    read: async (projectId, withCohorts, knownRevision) => {
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const { document } = compiled
      const revision = revisionOf(document, withCohorts)
      return { revision, body: revision === knownRevision ? null : presentDefinitions(document, withCohorts) }
    },
  }
}
