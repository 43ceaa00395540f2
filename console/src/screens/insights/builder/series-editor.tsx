import { ActionIcon, Badge, Button, Group, Select, Stack } from "@mantine/core"
import { EventSelect } from "../../../filters/event-select"
import { FilterEditor } from "../../../filters/filter-editor"
import { NameSelect } from "../../../filters/name-select"
import { usePropertyNames } from "../../../filters/use-names"
import { Icon } from "../../../ui/icon"
import { type Kind, listSeries, MATHS, MOST_SERIES, type Question, type Series } from "../question/question"

type Math = (typeof MATHS)[number]

const MATH_NAMES: Readonly<Record<Math, string>> = {
  TOTAL: "Number of events",
  UNIQUE_ACTORS: "Number of people",
  UNIQUE_SESSIONS: "Number of sessions",
  WEEKLY_ACTIVE: "People in the week before",
  SUM: "Sum of",
  AVG: "Average of",
  MEDIAN: "Median of",
  MAX: "Largest",
}
const MATH_OPTIONS = MATHS.map((value) => ({ value, label: MATH_NAMES[value] }))
const OF_PROPERTY: readonly Math[] = ["SUM", "AVG", "MEDIAN", "MAX"]

/** What stands before each series. */
const toMark = (kind: Kind, at: number): string => {
  if (kind === "funnel") return String(at + 1)
  if (kind === "retention") return at === 0 ? "First" : "Then"
  return String.fromCharCode(65 + at)
}

interface SeriesRowProps {
  readonly kind: Kind
  readonly at: number
  readonly series: Series
  readonly onChange: (series: Series) => void
  /** Absent where it has to stay. */
  readonly onRemove: (() => void) | undefined
}

function SeriesRow({ kind, at, series, onChange, onRemove }: SeriesRowProps) {
  const { event, math = "TOTAL", mathProperty, where = [] } = series
  const { names, isLoading } = usePropertyNames("event", event)
  const mark = toMark(kind, at)
  return (
    <Stack gap={6} className="series-row">
      <Group gap={6} wrap="nowrap">
        <Badge variant="default" radius="sm" tt="none" miw={24} px={6} fw={500}>
          {mark}
        </Badge>
        <EventSelect
          label={`Event ${mark}`}
          event={event}
          onChange={(chosen) => onChange({ ...series, event: chosen, mathProperty: undefined, where: undefined })}
        />
        {onRemove !== undefined && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${mark}`} onClick={onRemove}>
            <Icon name="cross" size={16} />
          </ActionIcon>
        )}
      </Group>
      {(kind === "trends" || kind === "stickiness") && (
        <Group gap={4} wrap="nowrap">
          <Select
            aria-label={`How ${mark} is counted`}
            data={MATH_OPTIONS}
            flex={1}
            allowDeselect={false}
            value={math}
            onChange={(chosen) => chosen !== null && onChange({ ...series, math: chosen })}
          />
          {OF_PROPERTY.includes(math) && (
            <NameSelect
              label={`Property of ${mark} that is calculated`}
              placeholder="Property"
              flex={1}
              names={names}
              isLoading={isLoading}
              value={mathProperty ?? null}
              onChange={(name) => onChange({ ...series, mathProperty: name ?? undefined })}
            />
          )}
        </Group>
      )}
      <FilterEditor
        filters={where}
        event={event}
        addLabel="Filter this event"
        onChange={(changed) => onChange({ ...series, where: changed })}
      />
    </Stack>
  )
}

interface SeriesEditorProps {
  readonly question: Question
  readonly onChange: (series: Series[]) => void
}

/** The events that are counted: lines of a trend, steps of a funnel, the first and the returning one of retention. */
export function SeriesEditor({ question, onChange }: SeriesEditorProps) {
  const { kind } = question
  const series = listSeries(question)
  const least = kind === "funnel" || kind === "retention" ? 2 : 1
  return (
    <Stack gap="sm">
      {series.map((one, at) => (
        <SeriesRow
          // biome-ignore lint/suspicious/noArrayIndexKey: series have no names of their own, and keep nothing
          key={at}
          kind={kind}
          at={at}
          series={one}
          onChange={(changed) => onChange(series.with(at, changed))}
          onRemove={series.length > least ? () => onChange(series.toSpliced(at, 1)) : undefined}
        />
      ))}
      {series.length < MOST_SERIES[kind] && (
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => onChange([...series, {}])}
        >
          {kind === "funnel" ? "Add a step" : "Add an event"}
        </Button>
      )}
    </Stack>
  )
}
