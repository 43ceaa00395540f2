import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import type { ActionRepository } from "./action.repository.js"
import { readChanges } from "./action-request.js"
import type { Action, ActionFilter, ActionRequest } from "./actions.types.js"

export interface ActionsDependencies {
  readonly repository: ActionRepository
  /** Cohorts that ask whether the action was performed; they keep it from being deleted. */
  readonly findCohortsUsing: (projectId: ProjectId, actionId: number) => Promise<readonly { readonly name: string }[]>
  readonly clock: Clock
}

export type ActionsService = ReturnType<typeof createActionsService>

/** Use cases on actions. Faults are AppErrors naming the field and the rule. */
export function createActionsService({ repository, findCohortsUsing, clock }: ActionsDependencies) {
  /** @param isRestored whether a deleted one is meant too. */
  const requireAction = async (projectId: ProjectId, id: number, isRestored = false): Promise<Action> => {
    const action = await repository.find(projectId, id)
    if (action === null || (action.deleted && !isRestored)) throw new AppError("not_found")
    return action
  }

  const refuseWhileUsed = async (projectId: ProjectId, id: number): Promise<void> => {
    const names = (await findCohortsUsing(projectId, id)).map(({ name }) => name)
    if (names.length === 0) return
    const detail = `Cohorts ask for this action (${names.join(", ")}). Change them first.`
    throw new AppError("invalid_input", { attr: "deleted", detail })
  }

  return {
    /** Actions that are not deleted, newest first. */
    list: (projectId: ProjectId, filter: ActionFilter, page: PageRequest): Promise<ListPage<Action>> =>
      repository.list(projectId, filter, page),

    /** Those of these numbers that are not deleted. */
    findMany: repository.findMany,

    /** @throws AppError required, blank, max_length, invalid_input, unique. */
    async create(projectId: ProjectId, author: UserId, request: ActionRequest): Promise<Action> {
      const { name, description = "", steps = [] } = readChanges(request)
      if (name === undefined) throw new AppError("required", { attr: "name" })
      const at = new Date(clock.now())
      const fields = { projectId, name, description, steps, deleted: false, createdAt: at, updatedAt: at }
      return repository.insert(fields, author)
    },

    /** `deleted: true` deletes softly, `false` restores. @throws AppError not_found, max_length, invalid_input, unique. */
    async update(projectId: ProjectId, author: UserId, id: number, request: ActionRequest): Promise<Action> {
      const changes = readChanges(request)
      await requireAction(projectId, id, changes.deleted === false)
      if (changes.deleted === true) await refuseWhileUsed(projectId, id)
      return repository.update(projectId, id, changes, author, new Date(clock.now()))
    },
  }
}
