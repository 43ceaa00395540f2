import { useQuery } from "urql"
import type { FlagHistoryQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PropertyValue } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { FLAG_HISTORY } from "./flags.queries"

type Flag = NonNullable<FlagHistoryQuery["featureFlag"]>
type Entry = NonNullable<Flag["activity"]>["nodes"][number]

const COLUMNS: readonly Column<Entry>[] = [
  { title: "Time", cell: ({ createdAt }) => <Time of={createdAt} /> },
  { title: "Who", cell: ({ user }) => user?.email ?? "the system" },
  { title: "What", cell: ({ activity }) => activity.toLowerCase() },
  { title: "Fields", cell: ({ changes }) => changes.map(({ field }) => field).join(", ") },
]

/** Who changed the flag and how, newest first. */
export function FlagHistory({ flagKey }: { readonly flagKey: string }) {
  const project = useProject()
  const answer = useQuery({
    query: FLAG_HISTORY,
    variables: { projectId: project.id, key: flagKey },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ featureFlag }) => {
        const entries = featureFlag?.activity?.nodes ?? []
        return entries.length === 0 ? (
          <EmptyState title="No changes" hint="Nothing was logged of this flag." />
        ) : (
          <DataTable
            label="Changes"
            columns={COLUMNS}
            rows={entries}
            toKey={({ id }) => id}
            detail={({ changes }) =>
              changes.map(({ field, before, after }) => (
                <div key={field}>
                  {field}: <PropertyValue of={before} /> → <PropertyValue of={after} />
                </div>
              ))
            }
          />
        )
      }}
    </Answer>
  )
}
