import type { ProjectId } from "../../../kernel/ids.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import type { BatchSink, RefusedRow } from "../rows/batch-sink.types.js"
import { readEventRow, toRowPrefix } from "../rows/event-row.js"
import { type EventRow, type EventRowBlock, readRows } from "../rows/event-rows.js"
import {
  type LiveEvent,
  type LiveEventFilter,
  type LiveEventMessage,
  toChannel,
  toStoredChannel,
} from "./live-event.types.js"
import type { LiveEventDemands } from "./live-event-demands.js"

/** Of one insert and project only the newest events are looked at: nobody can read more, and ingestion must not wait. */
const MAX_ROWS_READ = 2000
const MAX_EVENTS_SENT = 200
const MAX_PROPERTIES_CHARACTERS = 4096
/**
 * Tokens of inserts that were shown: a batch that is tried again is written under the same ones and is not shown twice.
 */
const MAX_TOKENS_REMEMBERED = 100

/** A sink that shows what it has stored to those who watch. Without watchers it costs one look into an empty map. */
export function withLiveEvents(
  sink: BatchSink,
  demands: LiveEventDemands,
  pubSub: Pick<PubSub, "publish">,
  logger: Logger,
): BatchSink {
  const publish = (projectId: ProjectId, channel: string, message: object): void => {
    // Not waited for: storing goes on, whoever watches.
    pubSub.publish(channel, message).catch((error: unknown) => {
      logger.warn("live events could not be sent", { err: error, projectId })
    })
  }
  const send = (filter: LiveEventFilter, message: LiveEventMessage): void =>
    publish(filter.projectId, toChannel(filter), message)
  const sentTokens = new Set<string>()
  return {
    writeSnapshots: (token, inserts) => sink.writeSnapshots(token, inserts),
    async write(token, persons, events) {
      const refused = await sink.write(token, persons, events)
      const [watched, signalled] = [demands.current(), demands.signalled()]
      if ((watched.size === 0 && signalled.length === 0) || sentTokens.has(token)) return refused
      sentTokens.add(token)
      if (sentTokens.size > MAX_TOKENS_REMEMBERED) sentTokens.delete(sentTokens.values().next().value ?? "")
      for (const projectId of signalled)
        if (holdsAny(projectId, events)) publish(projectId, toStoredChannel(projectId), {})
      for (const [projectId, filters] of watched) {
        const newest = selectNewest(projectId, events, refused)
        for (const filter of filters) {
          const message = toMessage(newest, filter)
          if (message.events.length + message.missed > 0) send(filter, message)
        }
      }
      return refused
    },
  }
}

interface Newest {
  readonly events: readonly LiveEvent[]
  readonly notRead: number
}

/** Whether any row is of a project. */
function holdsAny(projectId: ProjectId, blocks: readonly EventRowBlock[]): boolean {
  const prefix = toRowPrefix(projectId)
  return blocks.some((block) => [...readRows(block)].some(({ text }) => text.startsWith(prefix)))
}

function selectNewest(projectId: ProjectId, blocks: readonly EventRowBlock[], refused: readonly RefusedRow[]): Newest {
  const isRefused = new Set(refused.map(({ position }) => position))
  const prefix = toRowPrefix(projectId)
  const own = blocks
    .flatMap(readRows)
    .filter(({ text, position }) => text.startsWith(prefix) && !isRefused.has(position))
  return {
    events: own.slice(-MAX_ROWS_READ).map(toLiveEvent),
    notRead: Math.max(0, own.length - MAX_ROWS_READ),
  }
}

function toMessage({ events, notRead }: Newest, { event, distinctId }: LiveEventFilter): LiveEventMessage {
  const matching = events.filter(
    (one) => (event ?? one.event) === one.event && (distinctId ?? one.distinctId) === one.distinctId,
  )
  const missed = notRead + Math.max(0, matching.length - MAX_EVENTS_SENT)
  return { events: matching.slice(-MAX_EVENTS_SENT), missed }
}

function toLiveEvent({ text }: EventRow): LiveEvent {
  const read = readEventRow(text)
  const properties = read("properties")
  return {
    uuid: read("uuid"),
    event: read("event"),
    distinctId: read("distinct_id"),
    personId: read("person_id"),
    timestamp: toIso(read("timestamp")),
    createdAt: toIso(read("created_at")),
    properties: properties.length <= MAX_PROPERTIES_CHARACTERS ? JSON.parse(properties) : null,
  }
}

const toIso = (dateTime: string): string => `${dateTime.replace(" ", "T")}Z`
