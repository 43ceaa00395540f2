import { type GroupType, resolveFlagReference, toFlagNames } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { CohortsService } from "../../cohorts/index.js"
import type { Flag, FlagRequest, FlagStore } from "../flags.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { type CreateCohort, matchCohorts } from "./cohort-copies.js"
import { matchGroupTypes } from "./match-group-types.js"
import { findReferences, withReferences } from "./references.js"

/** Who copies, and what they may do in a project. */
export interface Copier {
  readonly userId: UserId
  /** @throws AppError 403 or 404 when the caller may not do what the scope names in a project. */
  require(projectName: string, scope: string): Promise<ProjectId>
}

export interface CopiedDefinitionsDependencies {
  readonly store: Pick<FlagStore, "listAll">
  readonly cohorts: Pick<CohortsService, "create" | "listAll">
  readonly rules: Pick<FlagRulesService, "rulesFor">
}

/** From where to where a flag is copied. */
export interface CopyWay {
  readonly from: ProjectId
  readonly to: ProjectId
  /** The flags that the target has already. */
  readonly present: readonly Flag[]
}

/**
 * The definition of a flag as another project must have it: what it asks for by number has other numbers there. Cohorts that
 * are missing are copied too.
 * @throws AppError when the target lacks a flag or a group type, or the caller may not create cohorts there.
 */
export type CopiedDefinition = (copier: Copier, original: FlagRequest, way: CopyWay) => Promise<Json>

/** Makes the translation over the flags, cohorts and group types that both projects have. */
export function createCopiedDefinitions(dependencies: CopiedDefinitionsDependencies): CopiedDefinition {
  const { store, cohorts, rules } = dependencies

  const findGroupTypes = async (projectId: ProjectId): Promise<readonly GroupType[]> => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    return compiled.document.groupTypes
  }

  const matchFlags = async (references: ReadonlySet<string>, from: ProjectId, present: readonly Flag[]) => {
    if (references.size === 0) return new Map<string, string>()
    const originals = await store.listAll(from)
    const names = toFlagNames(originals)
    const matched = new Map<string, string>()
    for (const reference of references) {
      const id = resolveFlagReference(reference, false, names)
      const key = originals.find((flag) => flag.id === id)?.key
      const same = present.find((flag) => flag.key === key)
      if (same === undefined) throw neededFirst(key ?? reference)
      matched.set(reference, String(same.id))
    }
    return matched
  }

  return async (copier, original, { from, to, present }) => {
    const { filters = null } = original
    const references = findReferences(filters)
    const create: CreateCohort = async ({ isStatic, ...request }) => {
      await copier.require(String(to), "cohort:write")
      return cohorts.create(to, copier.userId, isStatic, request)
    }
    const groupTypeIndexes = matchGroupTypes(
      references.groupTypeIndexes,
      await findGroupTypes(from),
      await findGroupTypes(to),
    )
    const flags = await matchFlags(references.flags, from, present)
    const cohortIds = await matchCohorts(
      references.cohortIds,
      await cohorts.listAll(from),
      await cohorts.listAll(to),
      create,
    )
    return isJsonObject(filters) ? withReferences(filters, { groupTypeIndexes, flags, cohortIds }) : filters
  }
}

const neededFirst = (key: string): AppError =>
  new AppError("invalid_input", { attr: "filters", detail: `The flag depends on the flag ${key}. Copy that first.` })
