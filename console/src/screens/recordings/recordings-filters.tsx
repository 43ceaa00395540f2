import { Checkbox, Group, NativeSelect } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { TextFilter } from "../../ui/text-filter"
import type { RecordingsSearch } from "./recordings-search"

const FROM = "/project/$project/recordings"

const DAYS = [
  { value: "3", label: "Last 3 days" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
]
const DURATIONS = [
  { value: "", label: "Any" },
  { value: "10", label: "10 seconds or more" },
  { value: "60", label: "1 minute or more" },
  { value: "600", label: "10 minutes or more" },
]

/** What narrows the list of recordings. Each change begins the list anew. */
export function RecordingsFilters() {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const change = (part: RecordingsSearch) =>
    void navigate({ search: { ...search, after: undefined, ...part }, replace: true })
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Begun"
        data={DAYS}
        value={String(search.days ?? 3)}
        onChange={({ currentTarget: { value } }) => change({ days: Number(value) })}
      />
      <NativeSelect
        label="Duration"
        data={DURATIONS}
        value={String(search.longer ?? "")}
        onChange={({ currentTarget: { value } }) => change({ longer: value === "" ? undefined : Number(value) })}
      />
      <TextFilter
        label="Event"
        placeholder="Name of an event in it"
        value={search.event}
        onChange={(text) => change({ event: text })}
      />
      <TextFilter
        label="Distinct id"
        placeholder="Whose they are"
        value={search.person}
        onChange={(text) => change({ person: text })}
      />
      <Checkbox
        label="With errors on the console"
        size="xs"
        pb={6}
        checked={search.errors === true}
        onChange={({ currentTarget: { checked } }) => change({ errors: checked || undefined })}
      />
    </Group>
  )
}
