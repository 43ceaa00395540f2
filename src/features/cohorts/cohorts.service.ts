import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import { createKeyedMutex } from "../../kernel/keyed-mutex.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { retryOnConflict } from "../../kernel/retry-on-conflict.js"
import { listActionIds } from "./check-cohort-filters.js"
import type { CohortRepository } from "./cohort.repository.js"
import { type CohortChecksDependencies, createCohortChecks } from "./cohort-checks.js"
import type { CohortMembers, ImportedMembers } from "./cohort-members.store.js"
import { checkMembers, readChanges } from "./cohort-request.js"
import type { Cohort, CohortFilter, CohortRequest } from "./cohorts.types.js"

export interface CohortsDependencies extends CohortChecksDependencies {
  readonly repository: CohortRepository
  readonly members: CohortMembers
  /** Told after every committed change, so that flags see it at once. */
  readonly changed: (projectId: ProjectId) => Promise<void>
  /** Told after members changed, so that queries see it soon. Never rejects. */
  readonly membersChanged?: (() => Promise<void>) | undefined
  readonly clock: Clock
}

export type CohortsService = ReturnType<typeof createCohortsService>

/** Use cases on cohorts. Faults are AppErrors naming the field and the rule. */
export function createCohortsService(dependencies: CohortsDependencies) {
  const { repository, members, changed, clock, membersChanged = async () => undefined } = dependencies
  const { requireCohort, requireStaticCohort, checkTree, checkUpdate } = createCohortChecks(dependencies)
  const exclusively = createKeyedMutex<ProjectId>()
  /** Checks and writes again when somebody else changed the rules in between. @throws AppError conflict when others always do. */
  const save = (projectId: ProjectId, write: (rulesVersion: number) => Promise<Cohort | null>): Promise<Cohort> =>
    exclusively(projectId, () => retryOnConflict(async () => write(await repository.readRulesVersion(projectId))))

  const addRequested = async (projectId: ProjectId, id: number, { distinctIds }: CohortRequest): Promise<void> => {
    if (distinctIds == null || distinctIds.length === 0) return
    await members.add(projectId, id, distinctIds.map(toStorableText))
    await membersChanged()
  }

  return {
    /** Cohorts that are not deleted, newest first. */
    list: (projectId: ProjectId, filter: CohortFilter, page: PageRequest): Promise<ListPage<Cohort>> =>
      repository.list(projectId, filter, page),

    /** Every cohort that is not deleted. */
    listAll: repository.listAll,

    /** @throws AppError not_found when unknown, of another project, or deleted. */
    get: requireCohort,

    /** Those of these numbers that are not deleted. */
    findMany: repository.findMany,

    /** Those that are not deleted and ask whether an action was performed. */
    findNamingAction: async (projectId: ProjectId, actionId: number): Promise<Cohort[]> =>
      (await repository.listAll(projectId)).filter(({ filters }) => listActionIds(filters).includes(actionId)),

    /** @throws AppError required, max_length, invalid_input. */
    async create(projectId: ProjectId, author: UserId, isStatic: boolean, request: CohortRequest): Promise<Cohort> {
      const changes = readChanges(request)
      if (changes.name === undefined) throw new AppError("required", { attr: "name" })
      if (!isStatic && changes.filters === undefined) throw new AppError("required", { attr: "filters" })
      if (request.distinctIds != null) checkMembers(isStatic, request.distinctIds, "distinct_ids")
      const { name, description = "", filters = null } = changes
      const cohort = await save(projectId, async (rulesVersion) => {
        await checkTree(projectId, request.filters, null)
        const fields = { projectId, name, description, isStatic, filters: isStatic ? null : filters, deleted: false }
        return repository.insert({ ...fields, createdAt: new Date(clock.now()) }, author, rulesVersion)
      })
      await changed(projectId)
      await addRequested(projectId, cohort.id, request)
      return cohort
    },

    /** `deleted: true` deletes softly, `false` restores. @throws AppError not_found, max_length, invalid_input. */
    async update(projectId: ProjectId, author: UserId, id: number, request: CohortRequest): Promise<Cohort> {
      const changes = readChanges(request)
      const cohort = await save(projectId, async (rulesVersion) => {
        await checkUpdate(projectId, id, request)
        return repository.update(projectId, id, changes, author, new Date(clock.now()), rulesVersion)
      })
      await changed(projectId)
      if (changes.deleted !== undefined) await membersChanged()
      await addRequested(projectId, id, request)
      return cohort
    },

    /** Adds persons by their distinct ids; answers the number of members. @throws AppError not_found, invalid_input. */
    async addMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number> {
      await requireStaticCohort(projectId, id, distinctIds)
      const count = await members.add(projectId, id, distinctIds.map(toStorableText))
      await membersChanged()
      return count
    },

    /**
     * Adds persons by their distinct ids or their own; says which ids name nobody.
     * @throws AppError not_found, invalid_input.
     */
    async importMembers(projectId: ProjectId, id: number, ids: readonly string[]): Promise<ImportedMembers> {
      await requireStaticCohort(projectId, id, ids)
      const imported = await members.addNamed(projectId, id, ids.map(toStorableText))
      await membersChanged()
      return imported
    },

    /** Removes persons by their distinct ids; answers the number of members. @throws AppError not_found, invalid_input. */
    async removeMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number> {
      await requireStaticCohort(projectId, id, distinctIds)
      const count = await members.remove(projectId, id, distinctIds.map(toStorableText))
      await membersChanged()
      return count
    },
  }
}
