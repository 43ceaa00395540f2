import { Group, Select } from "@mantine/core"
import type { Property } from "./filter"
import { NameSelect } from "./name-select"
import { usePropertyNames } from "./use-names"

const OWNERS = [
  { value: "event", label: "Event" },
  { value: "person", label: "Person" },
] as const

interface PropertySelectProps {
  readonly label: string
  /** None is chosen yet when absent. */
  readonly property: Property | undefined
  readonly onChange: (property: Property | undefined) => void
  /** The event whose properties are offered; of any event when absent. */
  readonly event?: string
}

/** A property: first whose it is, then its name, of those that the event or the persons have. */
export function PropertySelect({ label, property, onChange, event }: PropertySelectProps) {
  const owner = property?.owner ?? "event"
  const { names, isLoading } = usePropertyNames(owner, event)
  return (
    <Group gap={4} wrap="nowrap" flex={1}>
      <Select
        aria-label={`${label}: of event or person`}
        data={OWNERS}
        w={84}
        allowDeselect={false}
        value={owner}
        onChange={(chosen) => onChange({ owner: chosen ?? "event", key: "" })}
      />
      <NameSelect
        label={label}
        placeholder="Property"
        flex={1}
        names={names}
        isLoading={isLoading}
        value={property?.key || null}
        onChange={(key) => onChange(key === null ? undefined : { owner, key })}
      />
    </Group>
  )
}
