import type { Clock } from "../../../kernel/clock.js"
import { AppError, type ErrorCode } from "../../../kernel/errors.js"
import { createPeriodicTask } from "../../../kernel/periodic-task.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { NeedsApproval } from "../approval/needs-approval.js"
import type { FlagService } from "../manage/flag.service.js"
import type { DueChange, DueChanges } from "./due-changes.store.js"
import { findNextDue } from "./next-due.js"
import type { ScheduledChangeRepository } from "./scheduled-change.repository.js"
import { NOT_ALONE } from "./scheduled-changes.service.js"

const LOOK_EVERY_MS = 5_000
/** Faults that say nothing of the plan: it is tried again at the next look. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["store_unavailable", "overloaded", "conflict"])

/** Another process has made the change, or somebody removed the plan, between the look and the transaction. */
class PlanIsTaken extends Error {}

export interface ChangeMakerDependencies {
  readonly due: DueChanges
  readonly repository: Pick<ScheduledChangeRepository, "finish" | "write">
  readonly flags: Pick<FlagService, "update" | "open">
  readonly needsApproval: NeedsApproval
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Makes planned changes when they are due, once it is started. That a plan was carried out is written in the transaction of
 * the change itself: neither a kill nor a second process makes one twice, or leaves one out.
 */
export function createChangeMaker(dependencies: ChangeMakerDependencies) {
  const { due: dueChanges, repository, flags, needsApproval, clock, logger } = dependencies
  const toOutcome = ({ startsAt, recurrence, timezone }: DueChange, failure: string | null) => {
    const at = new Date(clock.now())
    const next = recurrence && findNextDue(startsAt.getTime(), recurrence, timezone, at.getTime())
    return { dueAt: next === null ? null : new Date(next), failure, at }
  }

  const make = async (due: DueChange): Promise<void> => {
    const { projectId, createdById, flagId, request } = due
    if (await needsApproval(projectId)) throw new AppError("approval_required", { detail: NOT_ALONE })
    const open = flags.open(projectId, request)
    await flags.update(projectId, createdById, flagId, open, null, {
      activity: "updated by plan",
      alongside: async (em) => {
        if (!(await repository.finish(em, due, toOutcome(due, null)))) throw new PlanIsTaken()
      },
    })
  }

  const makeOrGiveUp = async (due: DueChange): Promise<void> => {
    try {
      await make(due)
    } catch (fault) {
      if (fault instanceof PlanIsTaken || (fault instanceof AppError && PASSING.has(fault.code))) return
      if (!(fault instanceof AppError)) logger.error("a planned change failed", { plan: due.id, err: fault })
      await repository.write((em) => repository.finish(em, due, toOutcome(due, toReason(fault))))
    }
  }

  /** Makes all changes that are due. Rejects with AppError store_unavailable. */
  const makeDue = async (): Promise<void> => {
    for (const due of await dueChanges.list(new Date(clock.now()))) await makeOrGiveUp(due)
  }

  const looks = createPeriodicTask(LOOK_EVERY_MS, async () => {
    try {
      await makeDue()
    } catch (failure) {
      // That a store is away is logged elsewhere.
      logger.debug("planned changes are made later", { err: failure })
    }
  })
  return { makeDue, start: looks.start, stop: looks.stop }
}

/** What those who planned it are told. */
function toReason(fault: unknown): string {
  if (!(fault instanceof AppError)) return "The server failed; its log says more."
  return fault.code === "not_found" ? "The flag is deleted." : fault.message
}
