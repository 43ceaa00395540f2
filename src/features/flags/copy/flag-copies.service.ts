import { AppError } from "../../../kernel/errors.js"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import { isJsonObject } from "../../../kernel/json.js"
import type { Cohort, CohortsService } from "../../cohorts/index.js"
import { namesOf } from "../compile/dependency-order.js"
import type { GroupType } from "../compile/rule-document.types.js"
import { resolveFlagReference } from "../evaluate/flag-reference.js"
import type { Flag, FlagRepository } from "../flags.types.js"
import type { FlagService } from "../manage/flag.service.js"
import type { FlagRequest } from "../manage/flag-request.types.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { matchCohorts } from "./cohort-copies.js"
import { matchGroupTypes } from "./match-group-types.js"
import { referencesOf, withReferences } from "./references.js"

/** Who copies, and what they may do in a project. */
export interface Copier {
  readonly userId: UserId
  /** @throws AppError 403 or 404 when the caller may not do what the scope names in a project. */
  require(projectName: string, scope: string): Promise<ProjectId>
}

export interface FlagCopyRequest {
  readonly from: ProjectId
  readonly key: string
  /** Projects as the caller names them. */
  readonly targets: readonly string[]
  /** Copies are switched off, whatever the flag is. */
  readonly isDisabled: boolean
}

/** What came of one target. */
export type FlagCopy =
  | { readonly target: string; readonly projectId: ProjectId; readonly flag: Flag }
  | { readonly target: string; readonly fault: AppError }

/** Copies flags to other projects of the organization (`reference/flags.md` section 8, `copy_flags`). */
export interface FlagCopies {
  /**
   * Copies a flag to each target: over the flag of the same key, or as a new one. A target that cannot be had does not keep
   * the others from theirs.
   * @throws AppError does_not_exist for an unknown flag; required or max_length for the targets.
   */
  copy(copier: Copier, request: FlagCopyRequest): Promise<FlagCopy[]>
}

export interface FlagCopiesDependencies {
  readonly flags: Pick<FlagService, "export" | "create" | "update">
  readonly repository: Pick<FlagRepository, "all">
  readonly cohortsOf: (projectId: ProjectId) => Promise<readonly Cohort[]>
  readonly cohorts: Pick<CohortsService, "create">
  readonly rules: Pick<FlagRulesService, "rulesFor">
  /** Null when there is no such project. */
  readonly organizationOf: (projectId: ProjectId) => Promise<OrganizationId | null>
}

const MAX_TARGETS = 50

/** Makes the use case; every target goes through the same checks and the same audit as a change made there by hand. */
export function createFlagCopies(dependencies: FlagCopiesDependencies): FlagCopies {
  const { flags, repository, cohortsOf, cohorts, rules, organizationOf } = dependencies

  const groupTypesOf = async (projectId: ProjectId): Promise<readonly GroupType[]> => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    return compiled.document.groupTypes
  }

  const matchFlags = async (references: ReadonlySet<string>, from: ProjectId, present: readonly Flag[]) => {
    if (references.size === 0) return new Map<string, string>()
    const originals = await repository.all(from)
    const names = namesOf(originals)
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

  const definitionFor = async (
    copier: Copier,
    original: FlagRequest,
    from: ProjectId,
    to: ProjectId,
    present: Flag[],
  ) => {
    const { filters = null } = original
    const references = referencesOf(filters)
    const create = async (cohort: {
      name: string
      description: string
      isStatic: boolean
      filters: Cohort["filters"]
    }) => {
      await copier.require(String(to), "cohort:write")
      const { isStatic, ...request } = cohort
      return cohorts.create(to, copier.userId, isStatic, request)
    }
    const groupTypeIndexes = matchGroupTypes(
      references.groupTypeIndexes,
      await groupTypesOf(from),
      await groupTypesOf(to),
    )
    const dependencies = await matchFlags(references.flags, from, present)
    const cohortIds = await matchCohorts(references.cohortIds, await cohortsOf(from), await cohortsOf(to), create)
    return isJsonObject(filters)
      ? withReferences(filters, { groupTypeIndexes, flags: dependencies, cohortIds })
      : filters
  }

  const copyTo = async (
    copier: Copier,
    original: FlagRequest,
    { from, isDisabled }: FlagCopyRequest,
    target: string,
  ) => {
    const projectId = await copier.require(target, "feature_flag:write")
    if (projectId === from) throw notATarget("The flag is in this project already.")
    if ((await organizationOf(projectId)) !== (await organizationOf(from)))
      throw notATarget("The project belongs to another organization.")
    const present = await repository.all(projectId)
    const filters = await definitionFor(copier, original, from, projectId, present)
    const request = { ...original, filters, ...(isDisabled && { active: false }) }
    const same = present.find((flag) => flag.key === original.key)
    const flag =
      same === undefined
        ? await flags.create(projectId, copier.userId, request)
        : await flags.update(projectId, copier.userId, same.id, request, null)
    return { target, projectId, flag }
  }

  return {
    copy: async (copier, request) => {
      const targets = [...new Set(request.targets)]
      if (targets.length === 0) throw new AppError("required", { attr: "target_project_ids" })
      if (targets.length > MAX_TARGETS) throw tooMany()
      const original = await flags.export(request.from, request.key)
      const copies: FlagCopy[] = []
      for (const target of targets) {
        try {
          copies.push(await copyTo(copier, original, request, target))
        } catch (fault) {
          if (!(fault instanceof AppError)) throw fault
          copies.push({ target, fault })
        }
      }
      return copies
    },
  }
}

const notATarget = (detail: string): AppError => new AppError("invalid_input", { attr: "target_project_ids", detail })

const neededFirst = (key: string): AppError =>
  new AppError("invalid_input", { attr: "filters", detail: `The flag depends on the flag ${key}. Copy that first.` })

const tooMany = (): AppError =>
  new AppError("max_length", {
    attr: "target_project_ids",
    detail: `Ensure this field has no more than ${MAX_TARGETS} entries.`,
  })
