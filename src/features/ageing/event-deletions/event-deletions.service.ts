import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { EventDeletionRepository } from "./event-deletion.repository.js"
import type { EventDeletion } from "./event-deletions.types.js"
import type { CountEvents } from "./pending-event-deletions.store.js"
import { readSelection, type WantedEvents } from "./read-selection.js"

export interface EventDeletionsDependencies {
  readonly repository: EventDeletionRepository
  readonly countEvents: CountEvents
  /** @throws AppError permission_denied when the caller is no admin of the project's organization. */
  readonly requireAdmin: (principal: Principal, projectId: ProjectId) => Promise<void>
  readonly clock: Clock
}

/** What a request to delete events came to. */
export interface RequestedDeletion {
  readonly eventCount: number
  /** Null where events were only counted. */
  readonly deletion: EventDeletion | null
}

export type EventDeletionsService = ReturnType<typeof createEventDeletionsService>

/** Use cases of deleting events. Who works on deletions takes them up within a second. */
export function createEventDeletionsService(dependencies: EventDeletionsDependencies) {
  const { repository, countEvents, requireAdmin, clock } = dependencies
  return {
    list: repository.list,
    /**
     * Deletes what was accepted until now, or only counts it.
     * @throws AppError permission_denied, and as `readSelection`.
     */
    async request(
      principal: Principal,
      projectId: ProjectId,
      wanted: WantedEvents,
      isDryRun: boolean,
    ): Promise<RequestedDeletion> {
      await requireAdmin(principal, projectId)
      const selection = readSelection(wanted)
      const nowMs = clock.now()
      const eventCount = await countEvents(projectId, selection, nowMs)
      if (isDryRun) return { eventCount, deletion: null }
      const by = { requestedById: principal.userId, requestedAt: new Date(nowMs) }
      return { eventCount, deletion: await repository.insert({ projectId, selection, eventCount, ...by }) }
    },
  }
}
