import type { RuleDocument } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import type { FlagQuota, ProjectDirectory, QuotaHolder } from "../flags.types.js"
import { presentDefinitions, revisionOf } from "../present/definitions.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"

/** What SDKs that evaluate flags themselves fetch. */
export interface FlagDefinitions {
  /**
   * Definitions with their revision; `body` is null for who names that revision as the one they have.
   * @throws AppError quota_limited when the organization has used up its flag requests; store_unavailable when nobody
   * knows the project's rules just now.
   */
  read(projectId: ProjectId, withCohorts: boolean, knownRevision?: string | null): Promise<Definitions>
}

/** Definitions with what clients compare theirs by. */
export interface Definitions {
  /** Changes whenever the definitions do. */
  readonly revision: string
  readonly body: JsonObject | null
}

export interface FlagDefinitionsDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly projects: Pick<ProjectDirectory, "findById">
  readonly quota: FlagQuota
}

/** Definitions that are sent count as much as so many decisions (`docs/contract/flags.md#flag-quota`). */
const DEFINITIONS_WEIGHT = 10

/** Makes the definitions of a project from its rules, so that local and server-side evaluation start from the same. */
export function createFlagDefinitions({ rules, projects, quota }: FlagDefinitionsDependencies): FlagDefinitions {
  /** Whom to count for; nobody while that cannot be told, as an outage must not cost anybody their flags. */
  const holderOf = async (projectId: ProjectId): Promise<QuotaHolder> => {
    const project = await projects.findById(projectId).catch(() => null)
    return { projectId, settings: {}, ...project }
  }

  // Many processes of one project fetch the same definitions.
  const presented = { with: new WeakMap<RuleDocument, JsonObject>(), without: new WeakMap<RuleDocument, JsonObject>() }
  const present = (document: RuleDocument, withCohorts: boolean): JsonObject => {
    const known = withCohorts ? presented.with : presented.without
    const body = known.get(document) ?? presentDefinitions(document, withCohorts)
    known.set(document, body)
    return body
  }

  return {
    read: async (projectId, withCohorts, knownRevision) => {
      const holder = await holderOf(projectId)
      if (quota.isExceeded(holder)) throw new AppError("quota_limited")
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const { document } = compiled
      const revision = revisionOf(document, withCohorts)
      if (revision === knownRevision) return { revision, body: null }
      quota.count(holder, DEFINITIONS_WEIGHT)
      return { revision, body: present(compiled.document, withCohorts) }
    },
  }
}
