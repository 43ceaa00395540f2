import { Button, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { ScheduledExportRunsQuery } from "../../../graph/generated/graphql"
import { writeBytes, writeNumber } from "../../../pictures/numbers"
import { useProject } from "../../../project/project"
import { Answer } from "../../../ui/answer"
import { type Column, DataTable } from "../../../ui/data-table"
import { Time } from "../../../ui/time"
import { useRenewal } from "../../../ui/use-renewal"
import { EXPORT_RUNS } from "./exports.queries"
import { labelOf, RUN_STATES } from "./words"

type Run = NonNullable<NonNullable<ScheduledExportRunsQuery["scheduledExport"]>["runs"]>["nodes"][number]

const PAGE_SIZE = 20
const EVERY_MS = 5_000

/** The intervals of an export, the newest first, and what became of them. */
export function ExportRuns({ number }: { readonly number: number }) {
  const { id: projectId } = useProject()
  const [first, setFirst] = useState(PAGE_SIZE)
  const answer = useQuery({
    query: EXPORT_RUNS,
    variables: { projectId, number, first },
    requestPolicy: "cache-and-network",
  })
  const [{ fetching }, ask] = answer
  useRenewal(ask, EVERY_MS)
  return (
    <Answer of={answer}>
      {({ scheduledExport }) => {
        const { nodes: runs = [], pageInfo } = scheduledExport?.runs ?? {}
        if (runs.length === 0) return <Text size="sm">No interval is over yet.</Text>
        return (
          <Stack gap="xs" align="stretch">
            <DataTable label="Runs" columns={COLUMNS} rows={runs} toKey={({ id }) => String(id)} />
            {pageInfo?.hasNextPage && (
              <Button
                variant="default"
                style={{ alignSelf: "flex-start" }}
                loading={fetching}
                onClick={() => setFirst(first + PAGE_SIZE)}
              >
                More
              </Button>
            )}
          </Stack>
        )
      }}
    </Answer>
  )
}

const COLUMNS: readonly Column<Run>[] = [
  { title: "From", cell: ({ intervalFrom }) => <Time of={intervalFrom} /> },
  { title: "To", cell: ({ intervalTo }) => <Time of={intervalTo} /> },
  { title: "State", cell: ({ status }) => labelOf(RUN_STATES, status) },
  { title: "Files", cell: ({ fileCount }) => writeNumber(fileCount), isNumber: true },
  { title: "Rows", cell: ({ rowCount }) => writeNumber(rowCount), isNumber: true },
  { title: "Size", cell: ({ byteCount }) => writeBytes(byteCount), isNumber: true },
  { title: "Tried", cell: ({ attempts }) => writeNumber(attempts), isNumber: true },
  { title: "What went wrong", cell: ({ error }) => error ?? "" },
]
