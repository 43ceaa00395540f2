import { Group, Select, type SelectProps, Stack, Text } from "@mantine/core"
import { writeNumber } from "../pictures/numbers"
import { VerifiedMark } from "../ui/verified-mark"
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

/**
 * A name out of many, found by typing, each with how often it came and what is said of it. A chosen name stays, also
 * when it came no more.
 */
export function NameSelect({ label, names, value, onChange, isLoading, ...rest }: NameSelectProps) {
  const known = new Map(names.map((name) => [name.name, name]))
  const data = value === null || known.has(value) ? [...known.keys()] : [value, ...known.keys()]
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
      renderOption={({ option }) => <NameOption label={option.label} known={known.get(option.value)} />}
    />
  )
}

interface NameOptionProps {
  readonly label: string
  readonly known: CountedName | undefined
}

const NameOption = ({ label, known: { count, definition } = { name: label, count: 0 } }: NameOptionProps) => (
  <Group justify="space-between" gap="lg" wrap="nowrap" w="100%">
    <Stack gap={0} maw={260}>
      <Group gap={4} wrap="nowrap">
        <Text size="sm" truncate>
          {label}
        </Text>
        {definition?.isVerified === true && <VerifiedMark />}
      </Group>
      {definition !== undefined && definition.description !== "" && (
        <Text size="xs" c="dimmed" truncate>
          {definition.description}
        </Text>
      )}
    </Stack>
    <Text size="xs" c="dimmed">
      {writeNumber(count)}
    </Text>
  </Group>
)
