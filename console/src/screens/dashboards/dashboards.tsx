import { Button } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { DashboardsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { FavouritesFilter } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { useChange } from "../../ui/use-change"
import { CREATE_DASHBOARD, DASHBOARDS } from "./dashboards.queries"

type Listed = NonNullable<DashboardsQuery["dashboards"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/dashboards"

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: "Name",
    cell: ({ shortId, name, isFavourite }) => (
      <>
        <Link from="/project/$project" to="/project/$project/dashboards/$dashboard" params={{ dashboard: shortId }}>
          {name || "Untitled"}
        </Link>
        {isFavourite && <span title="Favourite"> ★</span>}
      </>
    ),
  },
  { title: "Made by", cell: ({ createdBy }) => createdBy?.email ?? "" },
  { title: "Changed", cell: ({ lastModifiedAt }) => <Time of={lastModifiedAt} /> },
]

/** The dashboards of the project, those changed last first. */
export function Dashboards() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const [isCreating, setCreating] = useState(false)
  const { change: create, ...saving } = useChange(CREATE_DASHBOARD, (data) => data.createDashboard)
  const filter = { search: search.search, isFavourite: search.favourites }
  const answer = useQuery({
    query: DASHBOARDS,
    variables: { projectId, filter, first: PAGE_SIZE, after: search.after },
    requestPolicy: "cache-and-network",
  })
  const save = async (description: Description): Promise<void> => {
    const made = (await create({ input: { projectId, ...description } }))?.createDashboard?.dashboard
    if (made) await navigate({ to: "/project/$project/dashboards/$dashboard", params: { dashboard: made.shortId } })
  }
  const createButton = <Button onClick={() => setCreating(true)}>New dashboard</Button>
  return (
    <Page title="Dashboards" actions={createButton}>
      <FavouritesFilter search={search} onChange={(changed) => void navigate({ search: changed, replace: true })} />
      <PagedTable
        label="Dashboards"
        columns={COLUMNS}
        of={answer}
        toPage={({ dashboards }) => dashboards}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={
          <EmptyState
            title="No dashboards"
            hint="A dashboard shows insights beside each other, over the same days."
            action={createButton}
          />
        }
      />
      {isCreating && (
        <SaveDialog
          title="New dashboard"
          described={{ name: "", description: "" }}
          saving={saving}
          onSave={(description) => void save(description)}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  )
}
