import { Button, Text } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import { writeDuration } from "../../../pictures/numbers"
import { MemberFieldset } from "../../../project/member-fieldset"
import { useProject } from "../../../project/project"
import type { Column } from "../../../ui/data-table"
import { EmptyState } from "../../../ui/empty-state"
import { PagedTable } from "../../../ui/paged-table"
import { Time } from "../../../ui/time"
import { useRenewal } from "../../../ui/use-renewal"
import { Section } from "../section"
import { DeleteExport } from "./delete-export"
import { ExportActions } from "./export-actions"
import { ExportForm } from "./export-form"
import { ExportRuns } from "./export-runs"
import { AFTER_CHANGES, EXPORTS } from "./exports.queries"
import { CONTENTS, FORMATS, FREQUENCIES, type ListedExport, labelOf, RUN_STATES } from "./words"

const PAGE_SIZE = 50

/** What of the exports is done in a dialog: a new one, or one of them changed or deleted. */
type Dialog = { readonly does: "create" } | { readonly does: "change" | "delete"; readonly of: ListedExport }

/** Files that the project has made by schedule: where to, how far they are, and what became of each interval. */
export function Exports() {
  const { id: projectId, mayWrite } = useProject()
  const [after, setAfter] = useState<string | undefined>(undefined)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const answer = useQuery({
    query: EXPORTS,
    variables: { projectId, after, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
    context: AFTER_CHANGES,
  })
  const [, ask] = answer
  useRenewal(ask)
  const close = (): void => setDialog(null)
  const actions: Column<ListedExport> = {
    title: "Actions",
    cell: (one) => (
      <ExportActions
        of={one}
        onChange={() => setDialog({ does: "change", of: one })}
        onDelete={() => setDialog({ does: "delete", of: one })}
      />
    ),
  }
  return (
    <Section
      title="Exports by schedule"
      note="Files for a warehouse, each hour or day: events by when they were stored, or all persons or groups."
    >
      <MemberFieldset>
        <Button onClick={() => setDialog({ does: "create" })}>New export</Button>
      </MemberFieldset>
      <PagedTable
        label="Exports"
        columns={mayWrite ? [...COLUMNS, actions] : COLUMNS}
        of={answer}
        toPage={({ scheduledExports }) => scheduledExports}
        detail={({ number }) => <ExportRuns number={number} />}
        empty={
          <EmptyState title="No exports" hint="An export writes what is new into a folder or a bucket, by itself." />
        }
        after={after}
        onPage={setAfter}
      />
      {dialog?.does === "create" && <ExportForm of={null} onClose={close} />}
      {dialog?.does === "change" && <ExportForm of={dialog.of} onClose={close} />}
      {dialog?.does === "delete" && <DeleteExport of={dialog.of} onClose={close} />}
    </Section>
  )
}

const COLUMNS: readonly Column<ListedExport>[] = [
  { title: "Name", cell: ({ name }) => name },
  {
    title: "What",
    cell: ({ content, frequency, format }) =>
      `${labelOf(CONTENTS, content)}, ${labelOf(FREQUENCIES, frequency)}, ${labelOf(FORMATS, format)}`,
  },
  { title: "Where to", cell: ({ target }) => toPlace(target) },
  { title: "State", cell: (one) => <State of={one} /> },
  { title: "Last run", cell: (one) => <LastRun of={one} /> },
  { title: "Lag", cell: ({ exportedUntil }) => writeDuration((Date.now() - Date.parse(exportedUntil)) / 1000) },
]

const toPlace = ({ kind, prefix, bucket, endpoint }: ListedExport["target"]): string =>
  kind === "FOLDER" ? `folder ${prefix}` : [`${bucket} at ${endpoint}`, prefix].filter((part) => part !== "").join(", ")

function State({ of: { isPaused, failingSince, dueAt } }: { readonly of: ListedExport }) {
  if (isPaused) return "paused"
  return failingSince === null ? (
    <>
      next <Time of={dueAt} />
    </>
  ) : (
    <Text size="sm" c="red">
      failing since <Time of={failingSince} />
    </Text>
  )
}

function LastRun({ of: { runs } }: { readonly of: ListedExport }) {
  const run = runs?.nodes[0]
  if (run === undefined) return "none yet"
  return (
    <>
      {labelOf(RUN_STATES, run.status)} <Time of={run.finishedAt ?? run.startedAt} />
    </>
  )
}
