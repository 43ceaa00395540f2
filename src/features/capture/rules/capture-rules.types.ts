/**
 * What a project may have used up (`docs/contract/capture.md#quotas`). `events` and `recordings` stand for everything
 * of their kind.
 */
export const QUOTA_RESOURCES = ["events", "recordings", "exceptions", "surveys", "llm_events"] as const
export type QuotaResource = (typeof QUOTA_RESOURCES)[number]

/** What a restriction does to the events it is for (`docs/contract/capture.md#restrictions`). */
export const RESTRICTION_TYPES = ["drop_event_from_ingestion", "skip_person_processing"] as const
export type RestrictionType = (typeof RESTRICTION_TYPES)[number]

export const PIPELINES = ["analytics", "session_recordings"] as const
export type Pipeline = (typeof PIPELINES)[number]

/** Lists of a restriction: an event is meant when each list that is not empty has the event's value. */
export const RESTRICTION_LISTS = ["distinct_ids", "event_names", "session_ids", "event_uuids"] as const
export type RestrictionList = (typeof RESTRICTION_LISTS)[number]

export interface Restriction {
  readonly type: RestrictionType
  readonly pipelines: ReadonlySet<Pipeline>
  readonly lists: Readonly<Record<RestrictionList, ReadonlySet<string>>>
}

/** What the operator of a project has set about its events. */
export interface CaptureRules {
  /** Until when each resource is used up, in milliseconds since the epoch. */
  readonly limitedUntilMs: ReadonlyMap<QuotaResource, number>
  readonly restrictions: readonly Restriction[]
  /** Days for which events are kept; null is for ever. */
  readonly retentionDays: number | null
}
