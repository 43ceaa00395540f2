import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import { type Json, toStorableJson, toStorableText } from "../../kernel/json.js"
import { createQueues } from "../../kernel/one-at-a-time.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import { type CheckLeaf, checkCohortFilters, cohortsNaming } from "./check-cohort-filters.js"
import type { Cohort, CohortChanges, CohortFilter, CohortRepository } from "./cohorts.types.js"

/** What a caller may write of a cohort; an absent field stays as it is. */
export interface CohortRequest {
  readonly name?: string | null
  readonly description?: string | null
  readonly filters?: Json
  readonly deleted?: boolean | null
  /** Persons to add to a static cohort. */
  readonly distinctIds?: readonly string[] | null
}

export interface CohortsDependencies {
  readonly repository: CohortRepository
  /** Told after every committed change, so that flags see it at once. */
  readonly changed: (projectId: ProjectId) => Promise<void>
  /** Keys of the flags that ask for a cohort; such a cohort cannot be deleted. */
  readonly flagsAskingFor: (projectId: ProjectId, cohortId: number) => Promise<readonly string[]>
  /** Knows the operators that a person's property can be asked by. */
  readonly checkLeaf: CheckLeaf
  /** Told after members changed, so that queries see it soon. Never rejects. */
  readonly membersChanged?: (() => Promise<void>) | undefined
  readonly clock: Clock
}

export type CohortsService = ReturnType<typeof createCohortsService>

const MAX_NAME_LENGTH = 400
/** Changes by other processes in between before a busy project is given up; those of this one wait for each other. */
const MAX_ATTEMPTS = 10
const MAX_MEMBERS_PER_CALL = 10_000

/** Use cases on cohorts. Faults are AppErrors naming the field and the rule. */
export function createCohortsService(dependencies: CohortsDependencies) {
  const { repository, changed, flagsAskingFor, checkLeaf, clock, membersChanged = async () => undefined } = dependencies
  const inTurn = createQueues<ProjectId>()
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

  /** Writes what was checked at a version of the rules, until nobody was first. @throws AppError conflict when others always are. */
  const written = (projectId: ProjectId, write: (rulesVersion: number) => Promise<Cohort | null>): Promise<Cohort> =>
    inTurn(projectId, async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const cohort = await write(await repository.rulesVersion(projectId))
        if (cohort !== null) return cohort
      }
      throw new AppError("conflict")
    })

  const addListed = async (projectId: ProjectId, id: number, { distinctIds }: CohortRequest): Promise<void> => {
    if (distinctIds == null || distinctIds.length === 0) return
    await repository.addMembers(projectId, id, distinctIds.map(toStorableText))
    await membersChanged()
  }

  return {
    /** Cohorts that are not deleted, newest first. */
    list: (projectId: ProjectId, filter: CohortFilter, window: OffsetWindow): Promise<Page<Cohort>> =>
      repository.list(projectId, filter, window),

    /** @throws AppError not_found when unknown, of another project, or deleted. */
    get: existing,

    /** @throws AppError required, max_length, invalid_input. */
    async create(projectId: ProjectId, author: UserId, isStatic: boolean, request: CohortRequest): Promise<Cohort> {
      const changes = checked(request)
      if (changes.name === undefined) throw new AppError("required", { attr: "name" })
      if (!isStatic && changes.filters === undefined) throw new AppError("required", { attr: "filters" })
      if (request.distinctIds != null) checkMembers(isStatic, request.distinctIds, "distinct_ids")
      const { name, description = "", filters = null } = changes
      const cohort = await written(projectId, async (rulesVersion) => {
        await checkTree(projectId, request.filters, null)
        const made = { createdAt: new Date(clock.now()), createdById: author, deleted: false }
        const fields = { projectId, name, description, isStatic, filters: isStatic ? null : filters }
        return repository.insert({ ...fields, ...made }, rulesVersion)
      })
      await changed(projectId)
      await addListed(projectId, cohort.id, request)
      return cohort
    },

    /** `deleted: true` deletes softly, `false` restores. @throws AppError not_found, max_length, invalid_input. */
    async update(projectId: ProjectId, author: UserId, id: number, request: CohortRequest): Promise<Cohort> {
      const changes = checked(request)
      const cohort = await written(projectId, async (rulesVersion) => {
        await checkUpdate(projectId, id, request)
        const by = { userId: author, at: new Date(clock.now()) }
        return repository.update(projectId, id, changes, by, rulesVersion)
      })
      await changed(projectId)
      if (changes.deleted !== undefined) await membersChanged()
      await addListed(projectId, id, request)
      return cohort
    },

    /** Adds persons by their distinct ids; answers the number of members. @throws AppError not_found, invalid_input. */
    async addMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number> {
      await existingStatic(projectId, id, distinctIds)
      const count = await repository.addMembers(projectId, id, distinctIds.map(toStorableText))
      await membersChanged()
      return count
    },

    /** Removes persons by their distinct ids; answers the number of members. @throws AppError not_found, invalid_input. */
    async removeMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number> {
      await existingStatic(projectId, id, distinctIds)
      const count = await repository.removeMembers(projectId, id, distinctIds.map(toStorableText))
      await membersChanged()
      return count
    },
  }
}

const stillAskedFor = (why: string): AppError =>
  new AppError("invalid_input", { attr: "deleted", detail: `${why}. Change them first.` })

function checkMembers(isStatic: boolean, distinctIds: readonly string[], attr: string): void {
  if (!isStatic)
    throw new AppError("invalid_input", { attr, detail: "Members can be listed only for a static cohort." })
  if (distinctIds.length <= MAX_MEMBERS_PER_CALL) return
  const detail = `Ensure this field has no more than ${MAX_MEMBERS_PER_CALL} entries.`
  throw new AppError("max_length", { attr: "distinct_ids", detail })
}

function checked({ name, description, filters, deleted }: CohortRequest): CohortChanges {
  if (name === null) throw new AppError("null", { attr: "name" })
  if (name !== undefined && name.trim() === "") throw new AppError("blank", { attr: "name" })
  if (name !== undefined && name.length > MAX_NAME_LENGTH)
    throw new AppError("max_length", {
      attr: "name",
      detail: `Ensure this field has no more than ${MAX_NAME_LENGTH} characters.`,
    })
  return {
    ...(name !== undefined && { name: toStorableText(name) }),
    ...(description != null && { description: toStorableText(description) }),
    ...(filters != null && { filters: toStorableJson(filters) }),
    ...(deleted != null && { deleted }),
  }
}
