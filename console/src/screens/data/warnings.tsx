import { Badge } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { IngestionWarningsQuery } from "../../graph/generated/graphql"
import { writeNumber } from "../../pictures/numbers"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PagedTable } from "../../ui/paged-table"
import { PropertyTable } from "../../ui/property-table"
import { Time } from "../../ui/time"
import { INGESTION_WARNINGS } from "./data.queries"
import { toWords } from "./words"

type Page = NonNullable<IngestionWarningsQuery["ingestionWarnings"]>
type Warning = Page["nodes"][number] & { readonly id: string }

const PAGE_SIZE = 50
const FROM = "/project/$project/data"

const COLUMNS: readonly Column<Warning>[] = [
  { title: "Reason", cell: ({ reason }) => toWords(reason) },
  { title: "Event", cell: ({ event }) => event ?? "" },
  {
    title: "The events were",
    cell: ({ severity }) => (
      <Badge variant="light" tt="none" miw="max-content" color={severity === "DROPPED" ? "red" : "yellow"}>
        {severity === "DROPPED" ? "dropped" : "changed"}
      </Badge>
    ),
  },
  { title: "How many", cell: ({ occurrences }) => writeNumber(occurrences), isNumber: true },
  { title: "Last", cell: ({ lastAt }) => <Time of={lastAt} /> },
]

/** Warnings have no id: a reason stands once for each day and name of events. */
const toPage = ({ nodes, pageInfo }: Page) => ({
  nodes: nodes.map((warning) => ({ ...warning, id: `${warning.reason} ${warning.event} ${warning.lastAt}` })),
  pageInfo,
})

/** What is known of the newest event that it happened to. */
const toExample = ({ detail, distinctId, uuid }: Warning): Record<string, string> =>
  Object.fromEntries(
    [
      ["What is wrong", detail],
      ["Distinct id", distinctId],
      ["UUID of the event", uuid],
    ].filter((field): field is [string, string] => typeof field[1] === "string"),
  )

/** What ingestion dropped or changed in the last 30 days, by day, reason and event, with an example of each. */
export function Warnings() {
  const { id: projectId } = useProject()
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: INGESTION_WARNINGS,
    variables: { projectId, first: PAGE_SIZE, after },
    requestPolicy: "cache-and-network",
  })
  return (
    <PagedTable
      label="Ingestion warnings"
      columns={COLUMNS}
      of={answer}
      toPage={({ ingestionWarnings }) => ingestionWarnings && toPage(ingestionWarnings)}
      detail={(warning) => <PropertyTable properties={toExample(warning)} />}
      empty={<EmptyState title="No warnings" hint="All events of the last 30 days were ingested as they were sent." />}
      after={after}
      onPage={(next) => void navigate({ search: { tab: "warnings", after: next } })}
    />
  )
}
