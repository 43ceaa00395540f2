import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import { type CheckLeaf, checkCohortFilters, findCohortsNaming, listActionIds } from "./check-cohort-filters.js"
import type { CohortRepository } from "./cohort.repository.js"
import { checkMembers } from "./cohort-request.js"
import type { Cohort, CohortRequest } from "./cohorts.types.js"

export interface CohortChecksDependencies {
  readonly repository: Pick<CohortRepository, "find" | "listAll">
  /** Keys of the flags that ask for a cohort; such a cohort cannot be deleted. */
  readonly findFlagsUsing: (projectId: ProjectId, cohortId: number) => Promise<readonly string[]>
  /** Knows the operators that a person's property can be asked by. */
  readonly checkLeaf: CheckLeaf
  /** Why flags cannot decide by one of these cohorts, in words that follow "a cohort that"; null where they can. */
  readonly findUndecidable: (cohortId: number, cohorts: ReadonlyMap<number, Cohort>) => string | null
  /** Those of these actions that are not deleted. */
  readonly findActions: (projectId: ProjectId, ids: readonly number[]) => Promise<readonly { readonly id: number }[]>
}

/** Checks requests against the cohorts and flags of a project. */
export interface CohortChecks {
  /** @throws AppError not_found when unknown, of another project, or deleted. */
  requireCohort(projectId: ProjectId, id: number): Promise<Cohort>
  /** A cohort that these members can be listed for. @throws AppError not_found, invalid_input, max_length. */
  requireStaticCohort(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<Cohort>
  /** @param ownId null for a cohort that is new. @throws AppError invalid_input for filters that cannot be evaluated. */
  checkTree(projectId: ProjectId, filters: Json | undefined, ownId: number | null): Promise<void>
  /** @throws AppError not_found, invalid_input, max_length; invalid_input also for deleting what is still asked for. */
  checkUpdate(projectId: ProjectId, id: number, request: CohortRequest): Promise<void>
}

/** Makes the checks over what is stored. */
export function createCohortChecks(dependencies: CohortChecksDependencies): CohortChecks {
  const { repository, findFlagsUsing, checkLeaf, findUndecidable, findActions } = dependencies

  /** Deleted ones too. */
  const find = async (projectId: ProjectId, id: number): Promise<Cohort> => {
    const cohort = await repository.find(projectId, id)
    if (cohort === null) throw new AppError("not_found")
    return cohort
  }

  const requireCohort = async (projectId: ProjectId, id: number): Promise<Cohort> => {
    const cohort = await find(projectId, id)
    if (cohort.deleted) throw new AppError("not_found")
    return cohort
  }

  const requireStaticCohort = async (
    projectId: ProjectId,
    id: number,
    distinctIds: readonly string[],
  ): Promise<Cohort> => {
    const cohort = await requireCohort(projectId, id)
    checkMembers(cohort.isStatic, distinctIds, "id")
    return cohort
  }

  const checkTree = async (projectId: ProjectId, filters: Json | undefined, ownId: number | null): Promise<void> => {
    if (filters == null) return
    const others = (await repository.listAll(projectId)).filter((cohort) => cohort.id !== ownId)
    checkCohortFilters(filters, others, ownId, checkLeaf)
    await requireActions(projectId, listActionIds(filters))
  }

  const requireActions = async (projectId: ProjectId, ids: readonly number[]): Promise<void> => {
    if (ids.length === 0) return
    const found = new Set((await findActions(projectId, ids)).map(({ id }) => id))
    const unknown = ids.find((id) => !found.has(id))
    if (unknown === undefined) return
    const detail = `filters must not refer to action ${unknown}, which does not exist.`
    throw new AppError("invalid_input", { attr: "filters", detail })
  }

  /** Flags that ask for the cohort could no longer decide. */
  const refuseUndecidable = async (projectId: ProjectId, cohort: Cohort, filters: Json): Promise<void> => {
    const keys = await findFlagsUsing(projectId, cohort.id)
    if (keys.length === 0) return
    const all = [...(await repository.listAll(projectId)), { ...cohort, filters }]
    const why = findUndecidable(cohort.id, new Map(all.map((one) => [one.id, one])))
    if (why === null) return
    const detail = `Feature flags ask for this cohort (${keys.join(", ")}), and none can ask for a cohort that ${why}.`
    throw new AppError("invalid_input", { attr: "filters", detail })
  }

  const refuseWhileUsed = async (projectId: ProjectId, id: number): Promise<void> => {
    const keys = await findFlagsUsing(projectId, id)
    if (keys.length > 0) throw stillUsed(`Feature flags ask for this cohort (${keys.join(", ")})`)
    const naming = findCohortsNaming(id, await repository.listAll(projectId))
    if (naming.length > 0) throw stillUsed(`Cohorts ask for this one (${naming.map(({ name }) => name).join(", ")})`)
  }

  const checkUpdate = async (projectId: ProjectId, id: number, request: CohortRequest): Promise<void> => {
    const before = request.deleted === false ? await find(projectId, id) : await requireCohort(projectId, id)
    if (request.distinctIds != null) checkMembers(before.isStatic, request.distinctIds, "distinct_ids")
    // What a restored tree names may be gone by now.
    const filters = before.deleted && !before.isStatic ? (request.filters ?? before.filters) : request.filters
    await checkTree(projectId, filters, id)
    if (request.filters != null && !before.isStatic) await refuseUndecidable(projectId, before, request.filters)
    if (request.deleted === true) await refuseWhileUsed(projectId, id)
  }

  return { requireCohort, requireStaticCohort, checkTree, checkUpdate }
}

const stillUsed = (why: string): AppError =>
  new AppError("invalid_input", { attr: "deleted", detail: `${why}. Change them first.` })
