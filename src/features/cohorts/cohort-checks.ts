import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import { type CheckLeaf, checkCohortFilters, cohortsNaming } from "./check-cohort-filters.js"
import { type CohortRequest, checkMembers } from "./cohort-request.js"
import type { Cohort, CohortRepository } from "./cohorts.types.js"

export interface CohortChecksDependencies {
  readonly repository: CohortRepository
  /** Keys of the flags that ask for a cohort; such a cohort cannot be deleted. */
  readonly flagsAskingFor: (projectId: ProjectId, cohortId: number) => Promise<readonly string[]>
  /** Knows the operators that a person's property can be asked by. */
  readonly checkLeaf: CheckLeaf
}

/** Checks requests against the cohorts and flags of a project. */
export interface CohortChecks {
  /** @throws AppError not_found when unknown, of another project, or deleted. */
  existing(projectId: ProjectId, id: number): Promise<Cohort>
  /** A cohort that these members can be listed for. @throws AppError not_found, invalid_input, max_length. */
  existingStatic(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<Cohort>
  /** @param ownId null for a cohort that is new. @throws AppError invalid_input for filters that cannot be evaluated. */
  checkTree(projectId: ProjectId, filters: Json | undefined, ownId: number | null): Promise<void>
  /** @throws AppError not_found, invalid_input, max_length; invalid_input also for deleting what is still asked for. */
  checkUpdate(projectId: ProjectId, id: number, request: CohortRequest): Promise<void>
}

/** Makes the checks over what is stored. */
export function createCohortChecks(dependencies: CohortChecksDependencies): CohortChecks {
  const { repository, flagsAskingFor, checkLeaf } = dependencies

  /** Deleted ones too. */
  const known = async (projectId: ProjectId, id: number): Promise<Cohort> => {
    const cohort = await repository.find(projectId, id)
    if (cohort === null) throw new AppError("not_found")
    return cohort
  }

  const existing = async (projectId: ProjectId, id: number): Promise<Cohort> => {
    const cohort = await known(projectId, id)
    if (cohort.deleted) throw new AppError("not_found")
    return cohort
  }

  const existingStatic = async (projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<Cohort> => {
    const cohort = await existing(projectId, id)
    checkMembers(cohort.isStatic, distinctIds, "id")
    return cohort
  }

  const checkTree = async (projectId: ProjectId, filters: Json | undefined, ownId: number | null): Promise<void> => {
    if (filters == null) return
    const others = (await repository.all(projectId)).filter((cohort) => cohort.id !== ownId)
    checkCohortFilters(filters, others, ownId, checkLeaf)
  }

  const refuseWhileUsed = async (projectId: ProjectId, id: number): Promise<void> => {
    const keys = await flagsAskingFor(projectId, id)
    if (keys.length > 0) throw stillAskedFor(`Feature flags ask for this cohort (${keys.join(", ")})`)
    const naming = cohortsNaming(id, await repository.all(projectId))
    if (naming.length > 0)
      throw stillAskedFor(`Cohorts ask for this one (${naming.map(({ name }) => name).join(", ")})`)
  }

  const checkUpdate = async (projectId: ProjectId, id: number, request: CohortRequest): Promise<void> => {
    const before = request.deleted === false ? await known(projectId, id) : await existing(projectId, id)
    if (request.distinctIds != null) checkMembers(before.isStatic, request.distinctIds, "distinct_ids")
    // What a restored tree names may be gone by now.
    const filters = before.deleted && !before.isStatic ? (request.filters ?? before.filters) : request.filters
    await checkTree(projectId, filters, id)
    if (request.deleted === true) await refuseWhileUsed(projectId, id)
  }

  return { existing, existingStatic, checkTree, checkUpdate }
}

const stillAskedFor = (why: string): AppError =>
  new AppError("invalid_input", { attr: "deleted", detail: `${why}. Change them first.` })
