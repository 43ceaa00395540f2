import { Button, Checkbox, Group, TextInput } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useMutation, useQuery } from "urql"
import type { DashboardsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { MoreButton } from "../../ui/more-button"
import { Page } from "../../ui/page"
import { findRefusal } from "../../ui/refusal"
import { type Description, SaveDialog } from "../../ui/save-dialog"
import { Time } from "../../ui/time"
import { CREATE_DASHBOARD, DASHBOARDS } from "./dashboards.queries"

type Listed = NonNullable<DashboardsQuery["dashboards"]>["nodes"][number]

const PAGE_SIZE = 50

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
  const search = useSearch({ from: "/project/$project/dashboards" })
  const navigate = useNavigate({ from: "/project/$project/dashboards" })
  const [first, setFirst] = useState(PAGE_SIZE)
  const [isCreating, setCreating] = useState(false)
  const [, create] = useMutation(CREATE_DASHBOARD)
  const filter = { search: search.search, isFavourite: search.favourites }
  const answer = useQuery({
    query: DASHBOARDS,
    variables: { projectId, filter, first },
    requestPolicy: "cache-and-network",
  })
  const save = async (description: Description): Promise<string | null> => {
    const { data, error } = await create({ input: { projectId, ...description } })
    const made = data?.createDashboard?.dashboard
    if (made)
      await navigate({
        to: "/project/$project/dashboards/$dashboard",
        params: (old) => ({ ...old, dashboard: made.shortId }),
      })
    return findRefusal(error, data?.createDashboard)
  }
  const createButton = <Button onClick={() => setCreating(true)}>New dashboard</Button>
  return (
    <Page title="Dashboards" actions={createButton}>
      <Group gap="md">
        <TextInput
          aria-label="Search"
          placeholder="Search by name"
          w={260}
          defaultValue={search.search}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { ...search, search: value || undefined }, replace: true })
          }
        />
        <Checkbox
          size="xs"
          label="Favourites"
          checked={search.favourites ?? false}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: { ...search, favourites: checked || undefined }, replace: true })
          }
        />
      </Group>
      <Answer of={answer}>
        {({ dashboards }) =>
          dashboards?.nodes.length ? (
            <>
              <DataTable label="Dashboards" columns={COLUMNS} rows={dashboards.nodes} toKey={({ id }) => id} />
              {dashboards.pageInfo.hasNextPage && (
                <MoreButton isLoading={answer[0].fetching} onClick={() => setFirst(first + PAGE_SIZE)} />
              )}
            </>
          ) : (
            <EmptyState
              title="No dashboards"
              hint="A dashboard shows insights beside each other, over the same days."
              action={createButton}
            />
          )
        }
      </Answer>
      {isCreating && (
        <SaveDialog
          title="New dashboard"
          described={{ name: "", description: "" }}
          onSave={save}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  )
}
