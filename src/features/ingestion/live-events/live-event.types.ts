import type { ProjectId } from "../../../kernel/ids.js"
import type { LiveEventType } from "./live-events.graphql.js"

/** Which events somebody watches; null stands for every one. */
export interface LiveEventFilter {
  readonly projectId: ProjectId
  readonly event: string | null
  readonly distinctId: string | null
}

/** A live event with the number of those that a slow reader missed before it. */
export type DeliveredEvent = Readonly<LiveEventType>

/** A stored event as those who watch see it. Small enough to be sent to every process. */
export type LiveEvent = Omit<DeliveredEvent, "missedBefore">

/** What one insert brought for one filter. */
export interface LiveEventMessage {
  /** In the order of the log. */
  readonly events: readonly LiveEvent[]
  /** Events of the project that came before these and were not looked at, because there were too many at once. */
  readonly missed: number
}

/** Watchers say on this channel, again and again, what they watch. */
export const DEMAND_CHANNEL = "live-events:demand"
/** A demand counts this long; whoever still watches has renewed it by then. */
export const DEMAND_LASTS_MS = 30_000
/** How often a watcher says again what it watches. */
export const DEMAND_RENEWED_EVERY_MS = 10_000

/** Where those hear of it who only want to know that events of a project have been stored. */
export const toStoredChannel = (projectId: ProjectId): string => `live-events:stored:${projectId}`

/** Where the events of one filter are sent. */
export const toChannel = ({ projectId, event, distinctId }: LiveEventFilter): string =>
  `live-events:${JSON.stringify([projectId, event, distinctId])}`
