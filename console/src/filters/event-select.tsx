import { NameSelect } from "./name-select"
import { useEventNames } from "./use-names"

const ANY = "All events"

interface EventSelectProps {
  readonly label: string
  /** Any event when absent. */
  readonly event: string | undefined
  readonly onChange: (event: string | undefined) => void
}

/** An event of the project, found by typing. */
export function EventSelect({ label, event, onChange }: EventSelectProps) {
  const { names, isLoading } = useEventNames()
  const all = { name: ANY, count: names.reduce((sum, { count }) => sum + count, 0) }
  return (
    <NameSelect
      label={label}
      flex={1}
      names={[all, ...names]}
      isLoading={isLoading}
      value={event ?? ANY}
      onChange={(name) => onChange(name === ANY ? undefined : (name ?? undefined))}
    />
  )
}
