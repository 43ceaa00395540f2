import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { LiveEventType } from "./live-events.graphql.js"

/** Which events somebody watches; null stands for every one. */
export interface LiveEventFilter {
  readonly projectId: ProjectId
  readonly event: string | null
  readonly distinctId: string | null
  /** Property filters as queries have them (`docs/contract/queries.md#property-filters`); all must hold. */
  readonly properties: readonly Json[] | null
}

/** What the cursors of live events belong to. */
export const toLiveIdentity = (projectId: ProjectId): readonly unknown[] => ["live events", projectId]

/** A live event with the number of those that were left out before it. */
export type DeliveredEvent = Readonly<LiveEventType>

/** A stored event as those who watch see it. */
export type LiveEvent = Omit<DeliveredEvent, "missedBefore">
