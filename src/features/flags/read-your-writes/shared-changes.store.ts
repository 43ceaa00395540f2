import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import type { AcceptedEvent, AcceptedRequest, PendingChanges } from "./pending-changes.types.js"

const CHANNEL = "flags.pending-changes"
/** What is larger, an import for one, is seen elsewhere once it is stored. */
const MAX_MESSAGE_CHARACTERS = 16 * 1024

export interface SharedChangesDependencies {
  readonly pending: PendingChanges
  readonly pubSub: PubSub
  /** Tells this process from the others. */
  readonly processId: string
  readonly logger: Logger
}

/** Pending changes that the other processes are told of as well. */
export interface SharedChanges {
  /** As of the changes of this process. */
  findRelevantEvents: PendingChanges["findRelevantEvents"]
  /** Called by capture before it answers; the message to the others is not waited for. */
  record(request: AcceptedRequest, rowId: string): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Message {
  readonly from: string
  readonly rowId: string
  readonly request: AcceptedRequest
}

/**
 * Tells the other processes which changes of persons and groups were acknowledged here, so that a decision there sees them
 * before ingestion has stored them. A message that is lost costs only that: the change is then seen once it is stored.
 */
export function createSharedChanges({ pending, pubSub, processId, logger }: SharedChangesDependencies): SharedChanges {
  let isWarned = false
  let unsubscribe: (() => Promise<void>) | null = null

  const tell = (request: AcceptedRequest, rowId: string): void => {
    if (request.events.length === 0 || request.historicalMigration || !isSmall(request.events)) return
    const message: Message = { from: processId, rowId, request }
    pubSub.publish(CHANNEL, message as unknown as Json).then(
      () => {
        isWarned = false
      },
      (err: unknown) => {
        if (!isWarned) logger.warn("other processes cannot be told of changes that are not stored yet", { err })
        isWarned = true
      },
    )
  }

  return {
    findRelevantEvents: pending.findRelevantEvents,
    record: ({ projectId, receivedAtMs, historicalMigration, events }, rowId) => {
      // Field by field: capture's own batch holds the text of the whole request besides.
      const request = {
        projectId,
        receivedAtMs,
        historicalMigration,
        events: pending.findRelevantEvents(projectId, events),
      }
      pending.record(request, rowId)
      tell(request, rowId)
    },
    start: async () => {
      unsubscribe = await pubSub.subscribe(CHANNEL, (message) => {
        if (!isJsonObject(message)) return
        const { from, rowId, request } = message as unknown as Message
        if (from !== processId) pending.record(request, rowId)
      })
    },
    stop: async () => {
      await unsubscribe?.()
    },
  }
}

/** Stops at the limit, because a batch may hold megabytes. */
function isSmall(events: readonly AcceptedEvent[]): boolean {
  let characters = 0
  for (const event of events) {
    characters += JSON.stringify(event).length
    if (characters > MAX_MESSAGE_CHARACTERS) return false
  }
  return true
}
