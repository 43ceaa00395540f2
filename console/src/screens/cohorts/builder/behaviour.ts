import type { Stored } from "../../../filters/stored-filter"

/** What persons did or did not do, by the words of REST (docs/contract/cohorts.md#behaviour). */
export const KINDS = [
  { value: "performed_event", label: "perform" },
  { value: "performed_event_multiple", label: "perform so often" },
  { value: "performed_event_first_time", label: "perform for the first time" },
  { value: "performed_event_sequence", label: "perform, and then" },
  { value: "performed_event_regularly", label: "perform regularly" },
  { value: "stopped_performing_event", label: "stop performing" },
  { value: "restarted_performing_event", label: "perform again after a break" },
] as const
export type Kind = (typeof KINDS)[number]["value"]

/** The units of a distance. */
export const UNITS = ["minute", "hour", "day", "week", "month", "year"].map((value) => ({ value, label: `${value}s` }))

/** How often something happened. */
export const COMPARISONS = [
  { value: "gte", label: "at least" },
  { value: "lte", label: "at most" },
  { value: "exact", label: "just" },
  { value: "gt", label: "more than" },
  { value: "lt", label: "less than" },
]

const OFTEN: readonly Kind[] = ["performed_event_multiple", "performed_event_regularly"]
const RANGED: readonly Kind[] = [
  "performed_event",
  "performed_event_multiple",
  "performed_event_first_time",
  "performed_event_sequence",
]

/** The kind of a condition; null for one that the editor does not know. */
export const toKind = (leaf: Stored): Kind | null => KINDS.find(({ value }) => value === leaf.value)?.value ?? null

/** Whether it says how often. */
export const saysHowOften = (kind: Kind): boolean => OFTEN.includes(kind)

/** Whether its time may be two dates, or all time, besides a distance. */
export const hasRange = (kind: Kind): boolean => RANGED.includes(kind)

/** What a condition of each kind needs besides, when it is made. */
const NEEDS: Readonly<Record<Kind, Stored>> = {
  performed_event: {},
  performed_event_multiple: { operator: "gte", operator_value: 3 },
  performed_event_first_time: {},
  performed_event_sequence: { seq_event: "", seq_event_type: "events", seq_time_value: 1, seq_time_interval: "day" },
  performed_event_regularly: { operator: "gte", operator_value: 1, min_periods: 3, total_periods: 4 },
  stopped_performing_event: { seq_time_value: 7, seq_time_interval: "day" },
  restarted_performing_event: { seq_time_value: 7, seq_time_interval: "day" },
}

/** A new condition on what persons did, in which no event is chosen yet. */
export const NEW_BEHAVIOUR: Stored = {
  type: "behavioral",
  value: "performed_event",
  key: "",
  event_type: "events",
  time_value: 30,
  time_interval: "day",
}

/** The same condition of another kind. */
export const toBehaviour = (leaf: Stored, kind: Kind): Stored => ({ ...NEEDS[kind], ...leaf, value: kind })
