import { Button } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { CohortsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { COHORTS } from "./cohorts.queries"

type Cohort = NonNullable<CohortsQuery["cohorts"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/cohorts"

const COLUMNS: readonly Column<Cohort>[] = [
  {
    title: "Cohort",
    cell: ({ number, name }) => (
      <Link from={FROM} to="/project/$project/cohorts/$cohort" params={{ cohort: String(number) }}>
        {name || `Cohort ${number}`}
      </Link>
    ),
  },
  { title: "Members are", cell: ({ isStatic }) => (isStatic ? "listed" : "described") },
  { title: "Description", cell: ({ description }) => description },
  { title: "Made by", cell: ({ createdBy }) => createdBy?.email ?? "" },
  { title: "Made", cell: ({ createdAt }) => <Time of={createdAt} /> },
]

/** The cohorts of the project. */
export function Cohorts() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: COHORTS,
    variables: { projectId, first: PAGE_SIZE, ...search },
    requestPolicy: "cache-and-network",
  })
  return (
    <Page title="Cohorts" actions={NEW}>
      <SearchField
        placeholder="Name of a cohort"
        value={search.search}
        onChange={(text) => void navigate({ search: { search: text }, replace: true })}
      />
      <PagedTable
        label="Cohorts"
        columns={COLUMNS}
        of={answer}
        toPage={({ cohorts }) => cohorts}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={search.search === undefined ? NONE : NONE_FOUND}
      />
    </Page>
  )
}

const NEW = (
  <Button renderRoot={(props) => <Link {...props} from={FROM} to="/project/$project/cohorts/new" />}>New cohort</Button>
)
const NONE = (
  <EmptyState
    title="No cohorts yet"
    hint="A cohort is a named set of persons, for insights and flags: who has a property, or did something."
    action={NEW}
  />
)
const NONE_FOUND = <EmptyState title="No such cohort" hint="No name has this text. Try less of it." />
