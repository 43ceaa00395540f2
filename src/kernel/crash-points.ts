/** Places on an event's way to disk at which fault runs end the process, in the order in which an event passes them. */
export const CRASH_POINTS = [
  "before-append",
  "after-append",
  "after-claim",
  "before-person-save",
  "after-person-save",
  "before-event-insert",
  "after-event-insert",
  "before-delete",
  "before-commit",
  "after-commit",
] as const

/** Places in the deletion of a person, in their order: PostgreSQL knows and ClickHouse does not; or only part of it. */
export const DELETION_CRASH_POINTS = ["after-deletion-commit", "after-deletion-tombstones"] as const

/** A place at which a fault run can end the process. */
export type CrashPoint = (typeof CRASH_POINTS)[number] | (typeof DELETION_CRASH_POINTS)[number]

/** Ends this process on purpose, for `bench/faults`. A process that was not made to die has none. */
export interface CrashPoints {
  /** Called whenever the work comes past the point; does not return when it is the one to die at. */
  hit(point: CrashPoint): void
}
