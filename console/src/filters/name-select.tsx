import { Group, Select, type SelectProps, Text } from "@mantine/core"
import { writeNumber } from "../pictures/numbers"
import type { CountedName } from "./use-names"

const SHOWN_AT_ONCE = 100

interface NameSelectProps extends Pick<SelectProps, "placeholder" | "size" | "w" | "flex"> {
  /** What is chosen, for those who do not see it. */
  readonly label: string
  readonly names: readonly CountedName[]
  readonly value: string | null
  readonly onChange: (name: string | null) => void
  readonly isLoading?: boolean
}

/** A name out of many, found by typing, each with how often it came. A chosen name stays, also when it came no more. */
export function NameSelect({ label, names, value, onChange, isLoading, ...rest }: NameSelectProps) {
  const counts = new Map(names.map(({ name, count }) => [name, count]))
  const data = value === null || counts.has(value) ? [...counts.keys()] : [value, ...counts.keys()]
  return (
    <Select
      {...rest}
      aria-label={label}
      searchable
      limit={SHOWN_AT_ONCE}
      data={data.filter((name) => name !== "")}
      value={value}
      onChange={onChange}
      nothingFoundMessage={isLoading ? "Loading…" : "Nothing has this name."}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      renderOption={({ option }) => (
        <Group justify="space-between" gap="lg" wrap="nowrap" w="100%">
          <Text size="sm" truncate maw={260}>
            {option.label}
          </Text>
          <Text size="xs" c="dimmed">
            {writeNumber(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
    />
  )
}
