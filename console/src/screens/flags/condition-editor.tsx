import { Button, Fieldset, Group, Select, Stack, Text } from "@mantine/core"
import { type StoredFilter, toNewFilter } from "../../filters/stored-filter"
import { NumberField } from "../../ui/number-field"
import type { Condition, Variant } from "./definition"
import { FilterEditor, type FilterKinds } from "./filter-editor"
import { Reach } from "./reach"

/** Whom a flag is decided for. */
export interface Subject {
  /** Type of the groups; null for persons. */
  readonly groupTypeIndex: number | null
  /** What they are called, as in "persons". */
  readonly name: string
}

interface ConditionEditorProps {
  /** Its place, from 1. */
  readonly number: number
  readonly condition: Condition
  readonly kinds: FilterKinds
  readonly subject: Subject
  readonly variants: readonly Variant[]
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** One release condition: filters that must all hold, a share of those whom they hold for, and what these get. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { number, condition, kinds, subject, variants, onChange, onRemove } = props
  const { filters, rolloutPercentage, variant } = condition
  const change = (changed: readonly StoredFilter[]): void => onChange({ ...condition, filters: changed })
  const kind = subject.groupTypeIndex === null ? "person" : (`group ${subject.groupTypeIndex}` as const)
  return (
    <Fieldset legend={`Condition ${number}`}>
      <Stack gap="xs">
        {filters.length === 0 && <Text size="sm">Everybody fits.</Text>}
        {filters.map((filter, at) => (
          <FilterEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a filter is known by nothing but its place.
            key={at}
            label={`Condition ${number}, property ${at + 1}`}
            filter={filter}
            kinds={kinds}
            onChange={(changed) => change(filters.with(at, changed))}
            onRemove={() => change(filters.toSpliced(at, 1))}
          />
        ))}
        <Group gap="xs">
          <Button variant="subtle" onClick={() => change([...filters, toNewFilter(kind)])}>
            Add a filter
          </Button>
          <Button variant="subtle" color="gray" onClick={onRemove}>
            Remove the condition
          </Button>
        </Group>
        <Group gap="sm" align="flex-end">
          <NumberField
            label="Share of those who fit"
            unit="%"
            min={0}
            max={100}
            step="any"
            width={150}
            value={rolloutPercentage}
            onChange={(share) => onChange({ ...condition, rolloutPercentage: share })}
          />
          {(variants.length > 0 || variant !== null) && (
            <Select
              label="What they get"
              w={190}
              allowDeselect={false}
              data={[{ value: "", label: "by the shares" }, ...listKeys(variants, variant)]}
              value={variant ?? ""}
              onChange={(chosen) => onChange({ ...condition, variant: chosen || null })}
            />
          )}
          <Reach condition={condition} groupTypeIndex={subject.groupTypeIndex} whom={subject.name} />
        </Group>
      </Stack>
    </Fieldset>
  )
}

/** The variants to choose from; one that is stored and gone is among them. */
function listKeys(variants: readonly Variant[], chosen: string | null): { value: string; label: string }[] {
  const keys = new Set(variants.map(({ key }) => key).filter((key) => key !== ""))
  if (chosen) keys.add(chosen)
  return [...keys].map((key) => ({ value: key, label: `always ${key}` }))
}
