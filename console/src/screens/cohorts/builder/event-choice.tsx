import { Autocomplete, Select } from "@mantine/core"
import { useQuery } from "urql"
import { useEventNames } from "../../../filters/use-names"
import { useProject } from "../../../project/project"
import { ACTION_NAMES } from "../cohorts.queries"

const SHOWN_NAMES = 50
const TYPES = [
  { value: "events", label: "event" },
  { value: "actions", label: "action" },
]

interface EventChoiceProps {
  readonly label: string
  /** `events` or `actions`. */
  readonly type: string
  /** Name of the event, or number of the action; empty when none is chosen yet. */
  readonly named: string
  readonly onChange: (type: string, named: string | number) => void
}

/** What was done: an event by its name, or an action. */
export function EventChoice({ label, type, named, onChange }: EventChoiceProps) {
  return (
    <>
      <Select
        aria-label={`${label}, event or action`}
        w={90}
        allowDeselect={false}
        data={TYPES}
        value={type}
        onChange={(chosen) => chosen !== null && onChange(chosen, "")}
      />
      {type === "actions" ? (
        <ActionSelect label={label} named={named} onChange={(number) => onChange(type, number)} />
      ) : (
        <EventInput label={label} named={named} onChange={(name) => onChange(type, name)} />
      )}
    </>
  )
}

interface NamedProps<Named> {
  readonly label: string
  readonly named: string
  readonly onChange: (named: Named) => void
}

function EventInput({ label, named, onChange }: NamedProps<string>) {
  const { names } = useEventNames()
  return (
    <Autocomplete
      aria-label={`${label}, name`}
      placeholder="Event"
      w={190}
      data={names.map(({ name }) => name).filter((name) => name !== "")}
      limit={SHOWN_NAMES}
      value={named}
      onChange={onChange}
    />
  )
}

function ActionSelect({ label, named, onChange }: NamedProps<number>) {
  const { id: projectId } = useProject()
  const [{ data }] = useQuery({ query: ACTION_NAMES, variables: { projectId } })
  return (
    <Select
      aria-label={`${label}, name`}
      placeholder="Action"
      w={190}
      searchable
      allowDeselect={false}
      data={(data?.actions?.nodes ?? []).map(({ number, name }) => ({ value: String(number), label: name }))}
      value={named === "" ? null : named}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
      nothingFoundMessage="No action has this name."
    />
  )
}
