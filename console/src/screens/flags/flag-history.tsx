import { Button, Stack } from "@mantine/core"
import { useState } from "react"
import { useQuery } from "urql"
import type { FlagHistoryQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Time } from "../../ui/time"
import { FieldChanges } from "./field-changes"
import { FLAG_HISTORY } from "./flags.queries"
import { isUpdate, listDifferences } from "./former-state"
import { RestoreDialog } from "./restore-dialog"

type Flag = NonNullable<FlagHistoryQuery["featureFlag"]>
type Entry = NonNullable<Flag["activity"]>["nodes"][number]

const PAGE_SIZE = 50

const COLUMNS: readonly Column<Entry>[] = [
  { title: "Time", cell: ({ createdAt }) => <Time of={createdAt} /> },
  { title: "Who", cell: ({ user }) => user?.email ?? "the system" },
  { title: "What", cell: ({ activity }) => activity.toLowerCase().replaceAll("_", " ") },
  { title: "Fields", cell: ({ changes }) => changes.map(({ field }) => field).join(", ") },
]

/** Who changed the flag and how, newest first, and the way back to what was before a change. */
export function FlagHistory({ flagKey }: { readonly flagKey: string }) {
  const project = useProject()
  const [first, setFirst] = useState(PAGE_SIZE)
  const [restored, setRestored] = useState<Entry | null>(null)
  const answer = useQuery({
    query: FLAG_HISTORY,
    variables: { projectId: project.id, key: flagKey, first },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ featureFlag }) => {
        const entries = featureFlag?.activity?.nodes ?? []
        if (!featureFlag || entries.length === 0)
          return <EmptyState title="No changes" hint="Nothing was logged of this flag." />
        return (
          <Stack gap="sm">
            <DataTable
              label="Changes"
              columns={COLUMNS}
              rows={entries}
              toKey={({ id }) => id}
              detail={(entry) => <Changes of={entry} onRestore={() => setRestored(entry)} />}
            />
            {featureFlag.activity?.pageInfo.hasNextPage && (
              <Button
                variant="default"
                style={{ alignSelf: "flex-start" }}
                loading={answer[0].fetching}
                onClick={() => setFirst(first + PAGE_SIZE)}
              >
                More
              </Button>
            )}
            {restored !== null && (
              <RestoreDialog
                flag={featureFlag}
                differences={listDifferences(entries, restored)}
                onClose={() => setRestored(null)}
              />
            )}
          </Stack>
        )
      }}
    </Answer>
  )
}

function Changes({ of: { activity, changes }, onRestore }: { readonly of: Entry; readonly onRestore: () => void }) {
  const { mayWrite } = useProject()
  return (
    <Stack gap="xs" align="stretch">
      <FieldChanges of={changes} />
      {mayWrite && isUpdate(activity) && (
        <Button variant="default" style={{ alignSelf: "flex-start" }} onClick={onRestore}>
          Restore what was before…
        </Button>
      )}
    </Stack>
  )
}
