import { Button } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { InsightsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { FavouritesFilter } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { INSIGHTS } from "./insights.queries"

type Listed = NonNullable<InsightsQuery["insights"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/insights"

/** A kind in words: `WEB_OVERVIEW` is "Web overview". */
function writeKind(kind: Listed["kind"]): string {
  if (kind === null) return "Other"
  if (kind === "HOGQL") return "HogQL"
  const words = kind.toLowerCase().replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Name",
    cell: ({ shortId, name, isFavourite }) => (
      <>
        <Link
          to="/project/$project/insights/$insight"
          params={(old) => ({ project: "@current", ...old, insight: shortId })}
        >
          {name || "Untitled"}
        </Link>
        {isFavourite && <span title="Favourite"> ★</span>}
      </>
    ),
  },
  { title: "Kind", cell: ({ kind }) => writeKind(kind) },
  { title: "Made by", cell: ({ createdBy }) => createdBy?.email ?? "" },
  { title: "Changed", cell: ({ lastModifiedAt }) => <Time of={lastModifiedAt} /> },
]

/** The questions that are kept, those changed last first. */
export function Insights() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const filter = { search: search.search, isFavourite: search.favourites }
  const answer = useQuery({
    query: INSIGHTS,
    variables: { projectId, filter, first: PAGE_SIZE, after: search.after },
    requestPolicy: "cache-and-network",
  })
  const ask = (
    <Button renderRoot={(props) => <Link {...props} from="/project/$project" to="/project/$project/insights/new" />}>
      New insight
    </Button>
  )
  return (
    <Page title="Insights" actions={ask}>
      <FavouritesFilter search={search} onChange={(changed) => void navigate({ search: changed, replace: true })} />
      <PagedTable
        label="Insights"
        columns={COLUMNS}
        of={answer}
        toPage={({ insights }) => insights}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={
          <EmptyState
            title="No insights"
            hint="Ask a question of your events, then save it to find it here."
            action={ask}
          />
        }
      />
    </Page>
  )
}
