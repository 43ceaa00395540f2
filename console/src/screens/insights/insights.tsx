import { Button, Checkbox, Group, TextInput } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import type { InsightsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { MoreButton } from "../../ui/more-button"
import { Page } from "../../ui/page"
import { Time } from "../../ui/time"
import { INSIGHTS } from "./insights.queries"

type Listed = NonNullable<InsightsQuery["insights"]>["nodes"][number]

const PAGE_SIZE = 50

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
  const search = useSearch({ from: "/project/$project/insights" })
  const navigate = useNavigate({ from: "/project/$project/insights" })
  const [first, setFirst] = useState(PAGE_SIZE)
  const filter = { search: search.search, isFavourite: search.favourites }
  const answer = useQuery({
    query: INSIGHTS,
    variables: { projectId, filter, first },
    requestPolicy: "cache-and-network",
  })
  const ask = (
    <Button renderRoot={(props) => <Link {...props} from="/project/$project" to="/project/$project/insights/new" />}>
      New insight
    </Button>
  )
  return (
    <Page title="Insights" actions={ask}>
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
        {({ insights }) =>
          insights?.nodes.length ? (
            <>
              <DataTable label="Insights" columns={COLUMNS} rows={insights.nodes} toKey={({ id }) => id} />
              {insights.pageInfo.hasNextPage && (
                <MoreButton isLoading={answer[0].fetching} onClick={() => setFirst(first + PAGE_SIZE)} />
              )}
            </>
          ) : (
            <EmptyState
              title="No insights"
              hint="Ask a question of your events, then save it to find it here."
              action={ask}
            />
          )
        }
      </Answer>
    </Page>
  )
}
