import { ActionIcon, Group, Select, Text } from "@mantine/core"
import { StoredCohort } from "../../filters/stored-cohort"
import {
  type FilterKind,
  type StoredFilter,
  toKind,
  toNewFilter,
  toOperatorLabel,
  toValueText,
} from "../../filters/stored-filter"
import { StoredProperty } from "../../filters/stored-property"
import { Icon } from "../../ui/icon"
import { FlagSelect } from "./flag-select"

/** What filters of a flag can be about, with the words for it. */
export type FilterKinds = readonly { readonly value: FilterKind; readonly label: string }[]

interface PartProps {
  readonly label: string
  readonly filter: StoredFilter
  readonly onChange: (filter: StoredFilter) => void
}

interface FilterEditorProps extends PartProps {
  readonly kinds: FilterKinds
  readonly onRemove: () => void
}

/** What must hold: of a property, a cohort or another flag. What the editor does not know is shown as it is stored. */
export function FilterEditor({ label, filter, kinds, onChange, onRemove }: FilterEditorProps) {
  const kind = toKind(filter)
  return (
    <Group gap={6} align="flex-start">
      {kind === null ? (
        <Text size="sm" py={4}>
          {`${filter.type} ${filter.key} ${toOperatorLabel(filter.operator)} ${toValueText(filter.value)}`}
        </Text>
      ) : (
        <>
          <Select
            aria-label={`${label}, about`}
            w={110}
            allowDeselect={false}
            data={[...kinds]}
            value={kind}
            onChange={(chosen) => chosen !== null && onChange(toNewFilter(chosen))}
          />
          <Part kind={kind} label={label} filter={filter} onChange={onChange} />
        </>
      )}
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Remove ${label}`} onClick={onRemove}>
        <Icon name="cross" size={16} />
      </ActionIcon>
    </Group>
  )
}

function Part({ kind, label, filter, onChange }: PartProps & { readonly kind: FilterKind }) {
  const { key, value } = filter
  if (kind === "flag")
    return (
      <FlagSelect
        label={label}
        flag={key}
        value={value}
        onChange={(changed) => onChange({ ...filter, ...changed, stored: {} })}
      />
    )
  const Property = kind === "cohort" ? StoredCohort : StoredProperty
  return <Property label={label} filter={filter} onChange={onChange} />
}
