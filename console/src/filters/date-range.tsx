import { Group, Select, TextInput } from "@mantine/core"

const OWN = "own"
const PRESETS = [
  { value: "-24h", label: "Last 24 hours" },
  { value: "-7d", label: "Last 7 days" },
  { value: "-14d", label: "Last 14 days" },
  { value: "-30d", label: "Last 30 days" },
  { value: "-90d", label: "Last 90 days" },
  { value: "-12m", label: "Last 12 months" },
  { value: "mStart", label: "This month" },
  { value: "yStart", label: "This year" },
  { value: OWN, label: "Other days" },
]
const DAY = /^\d{4}-\d\d-\d\d$/

/** From and to as queries take them: a distance, a day, or nothing. */
export interface Dates {
  readonly from?: string
  readonly to?: string
}

interface DateRangeProps {
  readonly dates: Dates
  readonly onChange: (dates: { from: string | undefined; to: string | undefined }) => void
  /** What is offered first where there need not be any dates, as over a dashboard. */
  readonly noneLabel?: string
}

/** The time that is asked about: one that moves with the clock, or two days. */
export function DateRange({ dates: { from, to }, onChange, noneLabel }: DateRangeProps) {
  const isOwn = from !== undefined && DAY.test(from)
  const presets = noneLabel === undefined ? PRESETS : [{ value: "", label: noneLabel }, ...PRESETS]
  const fallback = noneLabel === undefined ? "-30d" : ""
  const today = new Date().toISOString().slice(0, 10)
  return (
    <Group gap={4} wrap="wrap">
      <Select
        aria-label="Dates"
        data={presets}
        w={150}
        allowDeselect={false}
        value={isOwn ? OWN : (from ?? fallback)}
        onChange={(chosen) => onChange({ from: chosen === OWN ? today : chosen || undefined, to: undefined })}
      />
      {isOwn && (
        <>
          <TextInput
            type="date"
            aria-label="First day"
            value={from}
            onChange={({ currentTarget: { value } }) => value !== "" && onChange({ from: value, to })}
          />
          <TextInput
            type="date"
            aria-label="Last day"
            value={to ?? ""}
            onChange={({ currentTarget: { value } }) => onChange({ from, to: value || undefined })}
          />
        </>
      )}
    </Group>
  )
}
