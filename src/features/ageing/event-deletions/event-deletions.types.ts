import type { ProjectId, UserId } from "../../../kernel/ids.js"

/** Why events are deleted: somebody asked for it, or the project keeps none that are older. */
export type EventDeletionReason = "requested" | "retention"

/** A property that an event has, with one of the values when any are given. */
export interface SelectedProperty {
  readonly name: string
  readonly values: readonly string[] | null
}

/** Which events: those that meet everything that is given. */
export interface EventSelection {
  readonly names: readonly string[] | null
  /** ISO 8601; those from then on, and those before then. */
  readonly from: string | null
  readonly before: string | null
  readonly properties: readonly SelectedProperty[]
}

/** A deletion of events, and how far it is. */
export interface EventDeletion {
  readonly id: number
  readonly projectId: ProjectId
  readonly reason: EventDeletionReason
  readonly selection: EventSelection
  /** Null for retention. */
  readonly requestedById: UserId | null
  readonly requestedAt: Date
  /** How many there were when it was asked for. */
  readonly eventCount: number
  /** How many of them queries still find. */
  readonly remainingCount: number
  /** Null while it is under way. */
  readonly finishedAt: Date | null
}
