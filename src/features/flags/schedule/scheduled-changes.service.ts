import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import type { NeedsApproval } from "../approval/needs-approval.js"
import type { FlagRequest } from "../flags.types.js"
import type { FlagService } from "../manage/flag.service.js"
import { listFlagChanges } from "../manage/list-flag-changes.js"
import type { Recurrence } from "./next-due.js"
import type { ScheduledChange } from "./scheduled-change.entity.js"
import type { ScheduledChangeRepository } from "./scheduled-change.repository.js"

const MAX_AHEAD_MS = 366 * 86_400_000
const MAX_PLANS = 100

/** Why a change is neither planned nor made by plan. */
export const NOT_ALONE = "Changes of flags need a second person in this project: none is made by plan."

/** What is to become of a flag, and when. */
export interface Plan {
  readonly at: Date
  readonly recurrence: Recurrence | null
  readonly change: FlagRequest
}

export interface ScheduledChangesDependencies {
  readonly repository: Pick<ScheduledChangeRepository, "list" | "listDue" | "insert" | "remove">
  readonly flags: Pick<FlagService, "get" | "preview">
  readonly needsApproval: NeedsApproval
  readonly clock: Clock
}

export type ScheduledChangesService = ReturnType<typeof createScheduledChanges>

/** Use cases of changes that are planned (decision 0091). */
export function createScheduledChanges({ repository, flags, needsApproval, clock }: ScheduledChangesDependencies) {
  return {
    /** @throws AppError not_found for a flag that there is not. */
    list: async (projectId: ProjectId, flagId: number, page: PageRequest): Promise<ListPage<ScheduledChange>> => {
      await flags.get(projectId, flagId)
      return repository.list(projectId, flagId, page)
    },

    /**
     * Plans a change, which has to be one that could be made now, by one person, and changes what is planned until then.
     * @throws AppError approval_required, not_found, invalid_input for the time, what cannot be planned or too many plans,
     * and the rules of fields.
     */
    create: async (
      projectId: ProjectId,
      author: UserId,
      flagId: number,
      { at, recurrence, change }: Plan,
    ): Promise<ScheduledChange> => {
      if (await needsApproval(projectId)) throw new AppError("approval_required", { detail: NOT_ALONE })
      const createdAt = new Date(clock.now())
      if (at <= createdAt || at.getTime() > createdAt.getTime() + MAX_AHEAD_MS)
        throw new AppError("invalid_input", { attr: "at", detail: "at must be in the future, within a year." })
      if (change.deleted != null)
        throw new AppError("invalid_input", { attr: "change__deleted", detail: "A deletion cannot be planned." })
      const { flag, fields: request } = await flags.preview(projectId, flagId, change, null)
      const plans = await repository.listDue(projectId, flagId)
      if (plans.length >= MAX_PLANS)
        throw new AppError("invalid_input", { attr: "id", detail: `A flag has at most ${MAX_PLANS} plans.` })
      // What goes off in the evening may come on again in the morning: the flag as the plans before this one leave it.
      const before = plans.filter(({ dueAt }) => recurrence !== null || (dueAt !== null && dueAt <= at))
      const flagByThen: typeof flag = Object.assign({ ...flag }, ...before.map((plan) => plan.request))
      const changes = listFlagChanges(flagByThen, { ...flagByThen, ...request })
      if (changes.length === 0)
        throw new AppError("invalid_input", { attr: "change", detail: "The flag is like that already." })
      const when = { startsAt: at, dueAt: at, recurrence, lastMadeAt: null, failure: null }
      return repository.insert({ projectId, flagId, request, changes, ...when, createdAt, createdById: author })
    },

    /** @throws AppError not_found. */
    remove: async (projectId: ProjectId, author: UserId, id: number): Promise<void> => {
      if (!(await repository.remove(projectId, id, author, new Date(clock.now())))) throw new AppError("not_found")
    },
  }
}
