import { ActionIcon, Group, Select, Stack, TagsInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { AddButton } from "../ui/add-button"
import { Icon } from "../ui/icon"
import { OPERATOR_OPTIONS, type Operator, takesValue } from "../ui/operators"
import type { Filter } from "./filter"
import { PropertySelect } from "./property-select"
import { usePropertyValues } from "./use-names"

/** Several values are one of them fits; what is compared or matched is one. */
const MOST_VALUES: Readonly<Record<Operator, number>> = {
  EXACT: 100,
  IS_NOT: 100,
  ICONTAINS: 1,
  NOT_ICONTAINS: 1,
  GT: 1,
  LT: 1,
  IS_SET: 0,
  IS_NOT_SET: 0,
  REGEX: 1,
}
const TYPING_MS = 200

interface FilterRowProps {
  readonly filter: Filter
  readonly event: string | undefined
  readonly onChange: (filter: Filter) => void
  readonly onRemove: () => void
}

function FilterRow({ filter, event, onChange, onRemove }: FilterRowProps) {
  const [search, setSearch] = useState("")
  const [asked] = useDebouncedValue(search, TYPING_MS)
  const values = usePropertyValues(filter, asked, event)
  return (
    <Stack gap={4} className="filter">
      <Group gap={4} wrap="nowrap">
        <PropertySelect
          label="Property of the filter"
          property={filter}
          event={event}
          onChange={(property) => onChange({ ...filter, key: "", ...property, values: [] })}
        />
        <ActionIcon variant="subtle" color="gray" aria-label="Remove the filter" onClick={onRemove}>
          <Icon name="cross" size={16} />
        </ActionIcon>
      </Group>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Select
          aria-label="How it is compared"
          data={OPERATOR_OPTIONS}
          w={128}
          allowDeselect={false}
          value={filter.operator}
          onChange={(operator) =>
            operator !== null &&
            onChange({ ...filter, operator, values: filter.values.slice(0, MOST_VALUES[operator]) })
          }
        />
        {takesValue(filter.operator) && (
          <TagsInput
            aria-label="Value"
            placeholder={filter.values.length === 0 ? "Value" : undefined}
            flex={1}
            data={values}
            value={filter.values}
            maxTags={MOST_VALUES[filter.operator]}
            searchValue={search}
            onSearchChange={setSearch}
            acceptValueOnBlur
            onChange={(chosen) => onChange({ ...filter, values: chosen })}
          />
        )}
      </Group>
    </Stack>
  )
}

interface FilterEditorProps {
  readonly filters: readonly Filter[]
  readonly onChange: (filters: Filter[] | undefined) => void
  /** The event whose properties and values are offered; those of any event when absent. */
  readonly event?: string
  /** What the button says that adds one. */
  readonly addLabel?: string
}

/** Conditions that all have to hold; values are offered as they are typed. */
export function FilterEditor({ filters, onChange, event, addLabel = "Add a filter" }: FilterEditorProps) {
  const change = (changed: readonly Filter[]): void => onChange(changed.length === 0 ? undefined : [...changed])
  return (
    <Stack gap="xs" align="stretch">
      {filters.map((filter, at) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no names, and keep nothing but typing
          key={at}
          filter={filter}
          event={event}
          onChange={(changed) => change(filters.with(at, changed))}
          onRemove={() => change(filters.toSpliced(at, 1))}
        />
      ))}
      <AddButton onClick={() => change([...filters, { owner: "event", key: "", operator: "EXACT", values: [] }])}>
        {addLabel}
      </AddButton>
    </Stack>
  )
}
