import { Button, Group, Select, Stack, Textarea } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { PICKED_INSIGHTS } from "./dashboards.queries"
import type { NewTile } from "./tile-inputs"

const TYPING_MS = 200

interface AddTileProps {
  readonly onAdd: (tile: NewTile) => void
}

/** Adds a saved insight, found by typing, or a text. */
export function AddTile({ onAdd }: AddTileProps) {
  const { id: projectId } = useProject()
  const [search, setSearch] = useState("")
  const [asked] = useDebouncedValue(search, TYPING_MS)
  const [text, setText] = useState<string | null>(null)
  const [{ data }] = useQuery({
    query: PICKED_INSIGHTS,
    variables: { projectId, filter: { search: asked || undefined } },
    requestPolicy: "cache-and-network",
  })
  const found = data?.insights?.nodes ?? []
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Select
          aria-label="Add an insight"
          placeholder="Add an insight…"
          w={260}
          searchable
          data={found.map(({ shortId, name }) => ({ value: shortId, label: name || "Untitled" }))}
          filter={({ options }) => options}
          nothingFoundMessage="No insight has this name."
          value={null}
          searchValue={search}
          onSearchChange={setSearch}
          onChange={(insight) => {
            if (insight !== null) onAdd({ insight })
            setSearch("")
          }}
        />
        {text === null && (
          <Button variant="default" onClick={() => setText("")}>
            Add a text
          </Button>
        )}
      </Group>
      {text !== null && (
        <Group gap="xs" align="flex-end">
          <Textarea
            label="Text"
            description="Markdown: # headings, **bold**, lists, tables, [links](https://…)"
            autosize
            minRows={2}
            w={420}
            autoFocus
            value={text}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          <Button
            disabled={text.trim() === ""}
            onClick={() => {
              onAdd({ text })
              setText(null)
            }}
          >
            Add
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setText(null)}>
            Cancel
          </Button>
        </Group>
      )}
    </Stack>
  )
}
