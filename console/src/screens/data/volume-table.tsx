import { Button, Group, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type ReactNode, useMemo, useState } from "react"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { PagedTable } from "../../ui/paged-table"
import { Time } from "../../ui/time"
import { VOLUMES } from "./data.queries"
import { DefinitionForm } from "./definition-form"
import { type Definition, type NamedThing, useDefinitionsOf } from "./use-definitions-of"

const PAGE_SIZE = 50
const FROM = "/project/$project/data"

/** What was counted of a name, and what people say of it. */
export interface Volume {
  /** The name. */
  readonly id: string
  /** The cells behind the name. */
  readonly cells: readonly unknown[]
  /** Absent where the server has not noted the name. */
  readonly definition: Definition | undefined
}

interface VolumeTableProps {
  readonly label: string
  /** What has the names. */
  readonly of: NamedThing
  /** A SELECT of names, each once in an order that does not change, without a LIMIT. */
  readonly hogql: string
  /** Null while they are not known. */
  readonly values: Readonly<Record<string, unknown>> | null
  readonly columns: readonly Column<Volume>[]
  readonly empty: ReactNode
}

/**
 * Names with what a text counts of each and what people say of it, page by page; it says until when it was counted, and
 * counts again.
 */
export function VolumeTable({ label, of, hogql, values, columns, empty }: VolumeTableProps) {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [refresh, setRefresh] = useState<"BLOCKING" | "FORCE_BLOCKING">("BLOCKING")
  // The place in the list is how many names are before it.
  const offset = Number.parseInt(after ?? "0", 10) || 0
  const asked = { query: `${hogql} LIMIT ${PAGE_SIZE} OFFSET ${offset}`, values }
  const answer = useQuery({ query: VOLUMES, variables: { projectId, hogql: asked, refresh }, pause: values === null })
  const [{ data, fetching }, ask] = answer
  const result = data?.query?.__typename === "HogQLResult" ? data.query : null
  const rows = useMemo(
    () => (result?.rows ?? []).map((row) => ({ id: String(row?.[0]), cells: (row ?? []).slice(1) })),
    [result],
  )
  const definitions = useDefinitionsOf(
    of,
    rows.map(({ id }) => id),
  )
  const page = {
    nodes: rows.map((row) => ({ ...row, definition: definitions.get(row.id) })),
    pageInfo: { hasNextPage: result?.hasMore ?? false, endCursor: String(offset + PAGE_SIZE) },
  }
  const countAgain = (): void =>
    refresh === "BLOCKING" ? setRefresh("FORCE_BLOCKING") : ask({ requestPolicy: "network-only" })
  return (
    <>
      <PagedTable
        label={label}
        columns={columns}
        of={answer}
        toPage={() => page}
        detail={({ definition: known }) =>
          known === undefined ? (
            <Text size="sm">The server notes 10,000 names of a project, and this is none of them.</Text>
          ) : (
            <DefinitionForm of={of} definition={known} />
          )
        }
        empty={empty}
        after={offset === 0 ? undefined : after}
        onPage={(next) => void navigate({ search: (before) => ({ ...before, after: next }) })}
      />
      {result !== null && (
        <Group gap="xs" mt="sm">
          <Text size="xs" c="dimmed">
            Counted until <Time of={result.cache.dataThrough} />
          </Text>
          <Button variant="subtle" size="compact-xs" loading={fetching} onClick={countAgain}>
            Count again
          </Button>
        </Group>
      )}
    </>
  )
}
