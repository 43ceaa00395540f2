import { Button, ScrollArea, SegmentedControl, Text, UnstyledButton } from "@mantine/core"
import { useState } from "react"
import { toClock } from "../../ui/clock"
import type { Entry, EntryKind } from "./timeline"

const KINDS: readonly { readonly value: EntryKind | "all"; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "event", label: "Events" },
  { value: "console", label: "Console" },
  { value: "network", label: "Network" },
]
/** More are shown on demand: a page may have written thousands of lines. */
const PAGE_SIZE = 200

interface TimelineListProps {
  readonly entries: readonly Entry[]
  readonly positionMs: number
  readonly onChosen: (entry: Entry) => void
}

/** What happened, in the order of time; each leads the player to it, and the present one is marked. */
export function TimelineList({ entries, positionMs, onChosen }: TimelineListProps) {
  const [kind, setKind] = useState<string>("all")
  const [limit, setLimit] = useState(PAGE_SIZE)
  const listed = entries.filter((entry) => kind === "all" || entry.kind === kind)
  const present = listed.findLast(({ offsetMs }) => offsetMs <= positionMs)
  return (
    <section className="timeline" aria-label="What happened">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="What is listed"
        data={[...KINDS]}
        value={kind}
        onChange={setKind}
      />
      {listed.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="xl">
          Nothing of this kind happened.
        </Text>
      )}
      <ScrollArea className="entries" viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Entries" }}>
        {listed.slice(0, limit).map((entry) => (
          <UnstyledButton
            key={entry.key}
            className="entry"
            data-kind={entry.kind}
            data-error={entry.isError || undefined}
            aria-current={entry === present ? "true" : undefined}
            onClick={() => onChosen(entry)}
          >
            <span className="clock">{toClock(entry.offsetMs)}</span>
            <span className="kind">{entry.isError ? `${entry.kind} error` : entry.kind}</span>
            <span className="what">{entry.title}</span>
          </UnstyledButton>
        ))}
        {listed.length > limit && (
          <Button variant="subtle" fullWidth onClick={() => setLimit(limit + PAGE_SIZE)}>
            Show more
          </Button>
        )}
      </ScrollArea>
    </section>
  )
}
