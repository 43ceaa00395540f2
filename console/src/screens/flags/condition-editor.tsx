import { Button, Fieldset, Group, Select, Stack, Text, TextInput } from "@mantine/core"
import { NumberField } from "../../ui/number-field"
import { OPERATOR_OPTIONS } from "../../ui/operators"
import {
  type Condition,
  type Filter,
  fromValueText,
  hasValue,
  NEW_FILTER,
  toOperator,
  toOperatorLabel,
  toValueText,
} from "./definition"

interface ConditionEditorProps {
  /** Its place, from 1. */
  readonly number: number
  readonly condition: Condition
  /** How many its properties hold for; absent while that is not known. */
  readonly reach: { readonly affected: number; readonly total: number; readonly isEstimated: boolean } | undefined
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One release condition: properties that must all hold, and a share of those who have them. */
export function ConditionEditor({ number, condition, reach, onChange, onRemove }: ConditionEditorProps) {
  const { filters, rolloutPercentage } = condition
  const replace = (index: number, filter: Filter | null): void =>
    onChange({
      ...condition,
      filters: filters.flatMap((one, position) => (position !== index ? [one] : filter === null ? [] : [filter])),
    })
  return (
    <Fieldset legend={`Condition ${number}`}>
      <Stack gap="xs">
        {filters.length === 0 && <Text size="sm">Everybody fits.</Text>}
        {filters.map((filter, index) => (
          <FilterEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a filter is known by nothing but its place.
            key={index}
            label={`Condition ${number}, property ${index + 1}`}
            filter={filter}
            onChange={(changed) => replace(index, changed)}
            onRemove={() => replace(index, null)}
          />
        ))}
        <Group gap="xs">
          <Button variant="subtle" onClick={() => onChange({ ...condition, filters: [...filters, NEW_FILTER] })}>
            Add a property
          </Button>
          <Button variant="subtle" color="gray" onClick={onRemove}>
            Remove the condition
          </Button>
        </Group>
        <Group gap="xs" align="flex-end">
          <NumberField
            label="Share of those who fit"
            unit="%"
            min={0}
            max={100}
            step="any"
            width={170}
            value={rolloutPercentage}
            onChange={(share) => onChange({ ...condition, rolloutPercentage: share })}
          />
          {reach !== undefined && (
            <Text size="sm" c="dimmed" pb={6}>
              {`${reach.isEstimated ? "about " : ""}${reach.affected.toLocaleString()} of ${reach.total.toLocaleString()} fit`}
            </Text>
          )}
        </Group>
      </Stack>
    </Fieldset>
  )
}

interface FilterEditorProps {
  readonly label: string
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
  readonly onRemove: () => void
}

/** A property, how it is compared, and with what. Conditions on something else than persons are shown as they are. */
function FilterEditor({ label, filter, onChange, onRemove }: FilterEditorProps) {
  const { type, key, operator, value } = filter
  const remove = (
    <Button variant="subtle" color="gray" aria-label={`Remove ${label}`} onClick={onRemove}>
      Remove
    </Button>
  )
  if (type !== "person" || toOperator(operator) === null)
    return (
      <Group gap="xs">
        <Text size="sm">{`${type} ${key} ${toOperatorLabel(operator)} ${toValueText(value)}`}</Text>
        {remove}
      </Group>
    )
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        aria-label={`${label}, name`}
        placeholder="Property of the person"
        w={200}
        value={key}
        onChange={({ currentTarget }) => onChange({ ...filter, key: currentTarget.value })}
      />
      <Select
        aria-label={`${label}, comparison`}
        w={150}
        allowDeselect={false}
        data={OPERATOR_OPTIONS}
        value={toOperator(operator)}
        onChange={(chosen) => onChange({ ...filter, operator: chosen?.toLowerCase() ?? operator })}
      />
      {hasValue(operator) && (
        <TextInput
          aria-label={`${label}, value`}
          placeholder="Value, or several with commas"
          w={240}
          value={toValueText(value)}
          onChange={({ currentTarget }) => onChange({ ...filter, value: fromValueText(currentTarget.value, operator) })}
        />
      )}
      {remove}
    </Group>
  )
}
