import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import type { ListPage, PageRequest } from "../../../kernel/paging.js"
import { requireLength } from "../../../kernel/text-length.js"
import type { FlagService } from "../manage/flag.service.js"
import type { ChangeRequest } from "./change-request.entity.js"
import type { ChangeRequestRepository, Decision, RequestFilter } from "./change-request.repository.js"

const MAX_COMMENT_LENGTH = 1_000

export interface ChangeRequestsDependencies {
  readonly requests: ChangeRequestRepository
  /** Makes changes at once. */
  readonly flags: Pick<FlagService, "update" | "open">
  readonly clock: Clock
}

export type ChangeRequestsService = ReturnType<typeof createChangeRequests>

/** Use cases of changes that a second person decides about (decision 0091). */
export function createChangeRequests({ requests, flags, clock }: ChangeRequestsDependencies) {
  const find = async (projectId: ProjectId, id: number): Promise<ChangeRequest> => {
    const request = await requests.find(projectId, id)
    if (request === null) throw new AppError("not_found")
    if (request.state !== "waiting")
      throw new AppError("conflict", { detail: "Somebody has decided about it already." })
    return request
  }
  /** @throws AppError max_length. */
  const toDecision = (state: Decision["state"], by: UserId, comment: string): Decision => {
    requireLength("comment", comment, MAX_COMMENT_LENGTH)
    return { state, by, comment: toStorableText(comment), at: new Date(clock.now()) }
  }

  return {
    /** Requests of a project, latest first. */
    list: (projectId: ProjectId, filter: RequestFilter, page: PageRequest): Promise<ListPage<ChangeRequest>> =>
      requests.list(projectId, filter, page),

    /**
     * Makes the change in the name of who asked for it, if the flag still has the version that they saw. Decision and change
     * are one transaction.
     * @throws AppError not_found, permission_denied for who asked, conflict when the flag was changed since or the request is
     *   decided, and the rules of fields.
     */
    approve: async (projectId: ProjectId, by: UserId, id: number, comment: string): Promise<ChangeRequest> => {
      const request = await find(projectId, id)
      if (request.createdById === by)
        throw new AppError("permission_denied", { detail: "Whoever asked for a change cannot approve it." })
      const decision = toDecision("approved", by, comment)
      const { createdById, flagId, flagVersion } = request
      await flags.update(projectId, createdById, flagId, flags.open(projectId, request.request), flagVersion, {
        activity: "updated on approval",
        alongside: (em) => requests.decide(em, request, decision),
      })
      return toDecided(request, decision)
    },

    /** Ends a request without the change; whoever asked withdraws it so. @throws AppError not_found, conflict. */
    reject: async (projectId: ProjectId, by: UserId, id: number, comment: string): Promise<ChangeRequest> => {
      const request = await find(projectId, id)
      const decision = toDecision("rejected", by, comment)
      await requests.write((em) => requests.decide(em, request, decision))
      return toDecided(request, decision)
    },
  }
}

const toDecided = (request: ChangeRequest, { state, by, comment, at }: Decision): ChangeRequest => ({
  ...request,
  state,
  comment,
  decidedAt: at,
  decidedById: by,
})
