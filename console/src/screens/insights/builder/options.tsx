import { Button, SegmentedControl, Select, Stack, Switch, TextInput } from "@mantine/core"
import { PropertySelect } from "../../../filters/property-select"
import { AddButton } from "../../../ui/add-button"
import { Icon } from "../../../ui/icon"
import { NumberField } from "../../../ui/number-field"
import { INTERVALS, type Kind, listSeries, type Question } from "../question/question"

interface OptionProps {
  readonly question: Question
  readonly onChange: (changed: Partial<Question>) => void
}

const WITH_BREAKDOWN: readonly Kind[] = ["trends", "funnel", "retention"]
const WITH_INTERVAL: readonly Kind[] = ["trends", "retention", "stickiness", "lifecycle"]
const INTERVAL_NAMES = { HOUR: "by hour", DAY: "by day", WEEK: "by week", MONTH: "by month" } as const
const INTERVAL_OPTIONS = INTERVALS.map((value) => ({ value, label: INTERVAL_NAMES[value] }))

const TREND_VIEWS = [
  { value: "lines", label: "Lines" },
  { value: "bars", label: "Bars" },
  { value: "number", label: "Number" },
  { value: "table", label: "Table" },
] as const
const FUNNEL_VIEWS = [
  { value: "steps", label: "Steps" },
  { value: "time", label: "Time to convert" },
] as const

/** How the answer is shown; nothing where there is one way only. */
export function ViewOption({ question: { kind, view }, onChange }: OptionProps) {
  if (kind === "trends")
    return (
      <SegmentedControl
        aria-label="Shown as"
        size="xs"
        data={[...TREND_VIEWS]}
        value={view === undefined || view === "steps" || view === "time" ? "lines" : view}
        onChange={(chosen) => onChange({ view: chosen })}
      />
    )
  if (kind === "funnel")
    return (
      <SegmentedControl
        aria-label="Shown as"
        size="xs"
        data={[...FUNNEL_VIEWS]}
        value={view === "time" ? "time" : "steps"}
        onChange={(chosen) => onChange({ view: chosen })}
      />
    )
  return null
}

/** The length of the intervals that things are counted in. */
export function IntervalOption({ question: { kind, interval }, onChange }: OptionProps) {
  if (!WITH_INTERVAL.includes(kind)) return null
  return (
    <Select
      aria-label="Interval"
      data={INTERVAL_OPTIONS}
      w={104}
      allowDeselect={false}
      value={interval ?? "DAY"}
      onChange={(chosen) => chosen !== null && onChange({ interval: chosen })}
    />
  )
}

/** What a question is broken down by. */
export function BreakdownOption({ question, onChange }: OptionProps) {
  if (!WITH_BREAKDOWN.includes(question.kind)) return null
  const [first] = listSeries(question)
  if (question.breakdown === undefined)
    return <AddButton onClick={() => onChange({ breakdown: { owner: "event", key: "" } })}>Break down</AddButton>
  return (
    <Stack gap={4}>
      <PropertySelect
        label="Property to break down by"
        event={first?.event}
        property={question.breakdown}
        onChange={(breakdown) => onChange({ breakdown })}
      />
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={<Icon name="cross" size={14} />}
        style={{ alignSelf: "flex-start" }}
        onClick={() => onChange({ breakdown: undefined })}
      >
        Do not break down
      </Button>
    </Stack>
  )
}

/** What only one kind of question has: a formula, a comparison, a time limit. */
export function MoreOptions({ question, onChange }: OptionProps) {
  const { kind, formula, compares = false, windowDays = 14 } = question
  return (
    <>
      {kind === "trends" && (
        <TextInput
          label="Formula"
          description="Calculates with the letters of the events."
          placeholder="A / B * 100"
          value={formula ?? ""}
          onChange={({ currentTarget: { value } }) => onChange({ formula: value || undefined })}
        />
      )}
      {kind === "funnel" && (
        <NumberField
          label="Days from the first step to the last"
          min={1}
          max={365}
          value={windowDays}
          onChange={(days) => onChange({ windowDays: days })}
        />
      )}
      {(kind === "trends" || kind === "web") && (
        <Switch
          size="xs"
          label="Compare with the period before"
          checked={compares}
          onChange={({ currentTarget: { checked } }) => onChange({ compares: checked || undefined })}
        />
      )}
    </>
  )
}
