/** Event names that ingestion acts on (`docs/contract/capture.md#merge-requests`). */
export const IDENTIFY = "$identify"
export const CREATE_ALIAS = "$create_alias"
export const MERGE_DANGEROUSLY = "$merge_dangerously"

/** The contract writes the name both ways (`docs/contract/capture.md#groups`). */
export const isGroupIdentify = (event: string): boolean => event === "$groupidentify" || event === "$group_identify"

/** Events that make no sense without a person profile. */
export const needsPersonProfile = (event: string): boolean =>
  event === IDENTIFY || event === CREATE_ALIAS || event === MERGE_DANGEROUSLY || isGroupIdentify(event)

/** Events that create a person but never change one (`docs/contract/capture.md#property-updates`). */
export const leavesPersonUnchanged = (event: string): boolean => event === "$exception" || event === "$$heatmap"

/**
 * Events whose browser and campaign values say nothing about a person
 * (`docs/contract/capture.md#automatic-properties`).
 */
export const hasNoAutomaticProperties = (event: string): boolean =>
  event === "$snapshot" || event === "$performance_event"
