import type {
  ScheduledExportContent,
  ScheduledExportFormat,
  ScheduledExportFrequency,
  ScheduledExportRunStatus,
  ScheduledExportsQuery,
} from "../../../graph/generated/graphql"

/** An export as the list has it. */
export type ListedExport = NonNullable<ScheduledExportsQuery["scheduledExports"]>["nodes"][number]

/** A value of the graph as people say it. */
interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
}

/** What an export writes. */
export const CONTENTS: readonly Choice<ScheduledExportContent>[] = [
  { value: "EVENTS", label: "Events" },
  { value: "PERSONS", label: "Persons" },
  { value: "GROUPS", label: "Groups" },
]
/** How often it does. */
export const FREQUENCIES: readonly Choice<ScheduledExportFrequency>[] = [
  { value: "HOURLY", label: "hourly" },
  { value: "DAILY", label: "daily" },
]
/** What its files are. */
export const FORMATS: readonly Choice<ScheduledExportFormat>[] = [
  { value: "PARQUET", label: "Parquet" },
  { value: "JSON_LINES", label: "JSON lines" },
]
/** What became of an interval. */
export const RUN_STATES: readonly Choice<ScheduledExportRunStatus>[] = [
  { value: "RUNNING", label: "running" },
  { value: "FAILED", label: "failed" },
  { value: "COMPLETED", label: "completed" },
]

/** How a value is called. */
export const labelOf = <Value extends string>(choices: readonly Choice<Value>[], value: Value): string =>
  choices.find((choice) => choice.value === value)?.label ?? value
