import { Group, Select, Stack, Text, TextInput } from "@mantine/core"
import { readStoredFilters } from "../../../filters/filter"
import { FilterEditor } from "../../../filters/filter-editor"
import type { Stored } from "../../../filters/stored-filter"
import { NumberField } from "../../../ui/number-field"
import { COMPARISONS, hasRange, KINDS, saysHowOften, toBehaviour, toKind, UNITS } from "./behaviour"
import { EventChoice } from "./event-choice"
import { isNegated } from "./tree"

interface PartProps {
  readonly label: string
  /** As REST has it. */
  readonly leaf: Stored
  readonly onChange: (leaf: Stored) => void
}

const toText = (value: unknown): string => (value === null || value === undefined ? "" : String(value))
const DID = [
  { value: "did", label: "Did" },
  { value: "not", label: "Did not" },
]

/** A condition on what persons did, as a sentence whose words can be changed. */
export function BehaviourEditor({ label, leaf, onChange }: PartProps) {
  const kind = toKind(leaf)
  const change = (changed: Stored): void => onChange({ ...leaf, ...changed })
  if (kind === null) return <Text size="sm">{`Something that this editor does not know: ${toText(leaf.value)}`}</Text>
  return (
    <Stack gap={6} flex={1} align="stretch">
      <Group gap={6}>
        <Select
          aria-label={`${label}, did or did not`}
          w={95}
          allowDeselect={false}
          data={DID}
          value={isNegated(leaf) ? "not" : "did"}
          onChange={(chosen) => change({ negation: chosen === "not" })}
        />
        <Select
          aria-label={`${label}, what was done`}
          w={210}
          allowDeselect={false}
          data={[...KINDS]}
          value={kind}
          onChange={(chosen) => chosen !== null && onChange(toBehaviour(leaf, chosen))}
        />
        <EventChoice
          label={label}
          type={toText(leaf.event_type)}
          named={toText(leaf.key)}
          onChange={(type, named) => change({ event_type: type, key: named })}
        />
      </Group>
      {kind === "performed_event_sequence" && (
        <Group gap={6}>
          <Text size="sm">then</Text>
          <EventChoice
            label={`${label}, what followed`}
            type={toText(leaf.seq_event_type)}
            named={toText(leaf.seq_event)}
            onChange={(type, named) => change({ seq_event_type: type, seq_event: named })}
          />
          <Distance label={`${label}, not later than`} words="within" name="seq_time" leaf={leaf} onChange={change} />
        </Group>
      )}
      <Group gap={6}>
        {saysHowOften(kind) && (
          <>
            <Select
              aria-label={`${label}, how often compared`}
              w={110}
              allowDeselect={false}
              data={COMPARISONS}
              value={leaf.operator === "eq" ? "exact" : toText(leaf.operator ?? "exact")}
              onChange={(chosen) => change({ operator: chosen })}
            />
            <Count label={`${label}, how often`} unit="times" name="operator_value" leaf={leaf} onChange={change} />
          </>
        )}
        {kind === "performed_event_regularly" && (
          <>
            <Text size="sm">in each of</Text>
            <Count label={`${label}, periods at least`} name="min_periods" max={100} leaf={leaf} onChange={change} />
            <Text size="sm">of the last</Text>
            <Count label={`${label}, periods`} name="total_periods" max={100} leaf={leaf} onChange={change} />
            <Distance label={`${label}, a period`} words="periods of" name="time" leaf={leaf} onChange={change} />
          </>
        )}
        {hasRange(kind) && <Range label={label} leaf={leaf} onChange={change} />}
        {(kind === "stopped_performing_event" || kind === "restarted_performing_event") && (
          <Break label={label} kind={kind} leaf={leaf} onChange={change} />
        )}
      </Group>
      <EventFilters leaf={leaf} onChange={change} />
    </Stack>
  )
}

interface FieldProps extends PartProps {
  /** Name of the field, or what the names of several begin with. */
  readonly name: string
}

function Count({ label, leaf, name, max = 1_000_000, unit, onChange }: FieldProps & { max?: number; unit?: string }) {
  return (
    <NumberField
      label={label}
      isLabelHidden
      width={unit === undefined ? 70 : 110}
      unit={unit ?? ""}
      min={1}
      max={max}
      value={Number(leaf[name] ?? 1)}
      onChange={(count) => onChange({ [name]: count })}
    />
  )
}

function Distance({ label, words, leaf, name, onChange }: FieldProps & { readonly words?: string }) {
  return (
    <>
      {words !== undefined && <Text size="sm">{words}</Text>}
      <Count label={`${label}, number`} leaf={leaf} name={`${name}_value`} max={100_000} onChange={onChange} />
      <Select
        aria-label={`${label}, unit`}
        w={100}
        allowDeselect={false}
        data={UNITS}
        value={toText(leaf[`${name}_interval`])}
        onChange={(chosen) => onChange({ [`${name}_interval`]: chosen })}
      />
    </>
  )
}

/** How the two distances of those who stopped, or came back, are said. */
const BREAKS = {
  stopped_performing_event: ["in the last", "but not in the last", ""],
  restarted_performing_event: ["with none between", "and", "ago"],
} as const

function Break({ label, kind, leaf, onChange }: PartProps & { readonly kind: keyof typeof BREAKS }) {
  const [before, between, after] = BREAKS[kind]
  return (
    <>
      <Distance label={`${label}, since`} words={before} name="time" leaf={leaf} onChange={onChange} />
      <Distance label={`${label}, recently`} words={between} name="seq_time" leaf={leaf} onChange={onChange} />
      <Text size="sm">{after}</Text>
    </>
  )
}

const EVER = "all"
const TIMES = [
  { value: "last", label: "in the last" },
  { value: "between", label: "since" },
  { value: EVER, label: "at any time" },
]

/** When it was: since a distance, between two dates, or ever. */
function Range({ label, leaf, onChange }: PartProps) {
  const { explicit_datetime: from, explicit_datetime_to: to } = leaf
  const mode = from === null || from === undefined ? "last" : from === EVER ? EVER : "between"
  return (
    <>
      <Select
        aria-label={`${label}, when`}
        w={120}
        allowDeselect={false}
        data={TIMES}
        value={mode}
        onChange={(chosen) =>
          onChange({
            explicit_datetime: chosen === "last" ? null : chosen === EVER ? EVER : "-30d",
            explicit_datetime_to: null,
            time_value: leaf.time_value ?? 30,
            time_interval: leaf.time_interval ?? "day",
          })
        }
      />
      {mode === "last" && <Distance label={`${label}, time`} name="time" leaf={leaf} onChange={onChange} />}
      {mode === "between" && (
        <>
          <TextInput
            aria-label={`${label}, since`}
            placeholder="2026-01-31 or -30d"
            w={150}
            value={toText(from)}
            onChange={({ currentTarget: { value } }) => onChange({ explicit_datetime: value })}
          />
          <Text size="sm">until</Text>
          <TextInput
            aria-label={`${label}, until`}
            placeholder="now"
            w={150}
            value={toText(to)}
            onChange={({ currentTarget: { value } }) => onChange({ explicit_datetime_to: value || null })}
          />
        </>
      )}
    </>
  )
}

/** What must hold for the event; those that the editor does not know are kept. */
function EventFilters({ leaf, onChange }: Omit<PartProps, "label">) {
  const filters = readStoredFilters(leaf.event_filters)
  if (filters === null) return <Text size="sm">It has conditions on the event that this editor does not know.</Text>
  return (
    <FilterEditor
      addLabel="Add a condition on the event"
      {...(leaf.event_type === "events" && leaf.key !== "" && { event: toText(leaf.key) })}
      filters={filters}
      onChange={(changed = []) =>
        onChange({
          event_filters: changed.map(({ owner, key, operator, values }) => ({
            type: owner,
            key,
            operator: operator.toLowerCase(),
            value: values.length === 1 ? values[0] : values,
          })),
        })
      }
    />
  )
}
