import { ActionIcon, Autocomplete, Group, Select, TagsInput, Text, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { CohortSelect } from "../../filters/cohort-select"
import { usePropertyNames, usePropertyValues } from "../../filters/use-names"
import { Icon } from "../../ui/icon"
import {
  type Filter,
  type FilterKind,
  hasValue,
  listOperators,
  takesList,
  toKind,
  toNewFilter,
  toOperatorLabel,
  toValueText,
  toValueTexts,
} from "./filter"
import { FlagSelect } from "./flag-select"

const TYPING_MS = 200
const SHOWN_NAMES = 50
const INSIDE = [
  { value: "in", label: "is in" },
  { value: "not_in", label: "is not in" },
] as const

/** What filters of a flag can be about, with the words for it. */
export type FilterKinds = readonly { readonly value: FilterKind; readonly label: string }[]

interface PartProps {
  readonly label: string
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
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
  const { key, operator, value } = filter
  if (kind === "flag")
    return (
      <FlagSelect
        label={label}
        flag={key}
        value={value}
        onChange={(changed) => onChange({ ...filter, ...changed, stored: {} })}
      />
    )
  if (kind !== "cohort") return <PropertyPart label={label} filter={filter} onChange={onChange} />
  return (
    <>
      <Select
        aria-label={`${label}, comparison`}
        w={110}
        allowDeselect={false}
        data={INSIDE}
        value={operator === "not_in" ? "not_in" : "in"}
        onChange={(chosen) => chosen !== null && onChange({ ...filter, operator: chosen })}
      />
      <CohortSelect
        label={`${label}, cohort`}
        cohort={value === null || value === undefined ? null : Number(value)}
        onChange={(cohort) => onChange({ ...filter, value: cohort })}
      />
    </>
  )
}

function PropertyPart({ label, filter, onChange }: PartProps) {
  const { type, key, operator, value } = filter
  const isOfPerson = type === "person"
  const [typed, setTyped] = useState("")
  const [asked] = useDebouncedValue(typed, TYPING_MS)
  const { names } = usePropertyNames("person")
  const values = usePropertyValues({ owner: "person", key: isOfPerson ? key : "" }, asked)
  const texts = toValueTexts(value)
  return (
    <>
      <Autocomplete
        aria-label={`${label}, name`}
        placeholder={isOfPerson ? "Property of the person" : "Property of the group"}
        w={190}
        data={isOfPerson ? names.map(({ name }) => name) : []}
        limit={SHOWN_NAMES}
        value={key}
        onChange={(name) => onChange({ ...filter, key: name })}
      />
      <Select
        aria-label={`${label}, comparison`}
        w={150}
        allowDeselect={false}
        data={[...listOperators(operator)]}
        value={operator}
        onChange={(chosen) =>
          chosen !== null &&
          onChange({ ...filter, operator: chosen, value: takesList(chosen) ? value : toValueText(value) })
        }
      />
      {takesList(operator) ? (
        <TagsInput
          aria-label={`${label}, value`}
          placeholder={texts.length === 0 ? "Values" : undefined}
          w={240}
          data={[...values]}
          value={texts}
          searchValue={typed}
          onSearchChange={setTyped}
          acceptValueOnBlur
          onChange={(chosen) => onChange({ ...filter, value: chosen.length === 1 ? chosen[0] : chosen })}
        />
      ) : (
        hasValue(operator) && (
          <TextInput
            aria-label={`${label}, value`}
            placeholder="Value"
            w={240}
            value={toValueText(value)}
            onChange={({ currentTarget }) => onChange({ ...filter, value: currentTarget.value })}
          />
        )
      )}
    </>
  )
}
