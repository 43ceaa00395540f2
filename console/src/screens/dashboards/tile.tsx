import { Badge, Group, Loader, Paper, ScrollArea, Skeleton, Text } from "@mantine/core"
import { lazy, type ReactNode, Suspense } from "react"
import { ResultPicture } from "../../results/lazy-result-picture"
import type { Result } from "../../results/result"

const Markdown = lazy(async () => ({ default: (await import("../../ui/markdown")).Markdown }))

/** What is known of a tile's query so far. */
export interface TileOutcome {
  /** The last answer; it stays while a newer one is made. */
  readonly result: Result | null
  /** How far the running query is, in percent; null when none runs. */
  readonly running: { readonly percentage: number | null } | null
  /** Why it failed. */
  readonly fault: string | null
}

export const NOTHING_YET: TileOutcome = { result: null, running: { percentage: null }, fault: null }

interface TileProps {
  /** What it is called, for those who do not see it; empty for a text. */
  readonly name: string
  /** The name, or a link to what it shows. */
  readonly title: ReactNode
  /** A text in place of an answer, in Markdown. */
  readonly text: string | null
  readonly outcome: TileOutcome
  /** What is to be known about it, as that filters are not applied. */
  readonly notes?: readonly string[]
}

/** A tile of a dashboard: a text, or a title with the picture of an answer and the state of its query. */
export function Tile({ name, title, text, outcome: { result, running, fault }, notes = [] }: TileProps) {
  if (text !== null)
    return (
      <Paper withBorder p="sm" className="tile">
        <ScrollArea className="tile-body" viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Text" }}>
          <Suspense
            fallback={
              <Text size="sm" className="tile-text">
                {text}
              </Text>
            }
          >
            <Markdown text={text} />
          </Suspense>
        </ScrollArea>
      </Paper>
    )
  return (
    <Paper withBorder p="sm" className="tile" aria-busy={running !== null}>
      <Group justify="space-between" gap="xs" mb={6} wrap="nowrap">
        <Text size="sm" fw={500} truncate component="h2">
          {title}
        </Text>
        <Group gap={6} wrap="nowrap">
          {notes.map((note) => (
            <Badge key={note} variant="default" tt="none" fw={400}>
              {note}
            </Badge>
          ))}
          {running !== null && (
            <Group gap={4} wrap="nowrap" role="status">
              <Loader size={12} />
              <Text size="xs" c="dimmed">
                {running.percentage === null ? "Running" : `${Math.round(running.percentage)} %`}
              </Text>
            </Group>
          )}
        </Group>
      </Group>
      <ScrollArea className="tile-body" viewportProps={{ tabIndex: 0, role: "group", "aria-label": name }}>
        {fault !== null ? (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        ) : result === null ? (
          <Skeleton height={160} />
        ) : (
          <ResultPicture result={result} isSmall />
        )}
      </ScrollArea>
    </Paper>
  )
}
