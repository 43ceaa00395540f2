import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { FlagService } from "../manage/flag.service.js"
import type { ChangeRequestRepository } from "./change-request.repository.js"
import type { NeedsApproval } from "./needs-approval.js"

export interface GuardedFlagsDependencies {
  readonly flags: FlagService
  readonly requests: Pick<ChangeRequestRepository, "insert">
  readonly needsApproval: NeedsApproval
  readonly clock: Clock
}

/**
 * The use cases of flags for callers: where the project asks for a second person, a change is not made but asked for
 * (decision 0091). Whoever makes a new flag changes nothing that is in use, and needs nobody.
 */
export function createGuardedFlags({ flags, requests, needsApproval, clock }: GuardedFlagsDependencies): FlagService {
  return {
    ...flags,

    /** @throws AppError approval_required once the change is asked for; the faults of a change that could not be made. */
    update: async (projectId, author, id, request, expectedVersion) => {
      if (!(await needsApproval(projectId))) return flags.update(projectId, author, id, request, expectedVersion)
      const { flag, fields, changes } = await flags.preview(projectId, id, request, expectedVersion)
      if (changes.length === 0) return flag
      const asked = await requests.insert({
        projectId,
        flagId: id,
        flagVersion: flag.version,
        request: fields,
        changes,
        state: "waiting",
        createdAt: new Date(clock.now()),
        createdById: author,
        decidedAt: null,
        decidedById: null,
        comment: "",
      })
      throw new AppError("approval_required", {
        detail: `The change is not made yet: a second person has to approve request ${asked.id}.`,
        extra: { change_request_id: asked.id },
      })
    },
  }
}
