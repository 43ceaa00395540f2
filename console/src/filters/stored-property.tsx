import { Autocomplete, Select, TagsInput, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { hasValue, listOperators, type StoredFilter, takesList, toValueText, toValueTexts } from "./stored-filter"
import { usePropertyNames, usePropertyValues } from "./use-names"

const TYPING_MS = 200
const SHOWN_NAMES = 50

interface StoredPropertyProps {
  /** What it is, for those who do not see it. */
  readonly label: string
  /** Of a person or a group. */
  readonly filter: StoredFilter
  readonly onChange: (filter: StoredFilter) => void
}

/** A property, how it is compared, and with what. Names and values of persons are offered, and others can be typed. */
export function StoredProperty({ label, filter, onChange }: StoredPropertyProps) {
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
