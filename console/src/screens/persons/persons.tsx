import { Group } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { usePropertyNames } from "../../filters/use-names"
import type { PersonsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { PERSON_COLUMNS } from "../../tables/person-columns"
import { ConditionEditor } from "../../ui/condition-editor"
import { toPersonFilter } from "../../ui/conditions"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { SearchField } from "../../ui/search-field"
import { Time } from "../../ui/time"
import { PERSONS } from "./persons.queries"
import type { PersonsSearch } from "./persons-search"

type Person = NonNullable<PersonsQuery["persons"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/persons"

const COLUMNS: readonly Column<Person>[] = [
  ...PERSON_COLUMNS,
  { title: "Identified", cell: ({ isIdentified }) => (isIdentified ? "yes" : "no") },
  { title: "First seen", cell: ({ createdAt }) => <Time of={createdAt} /> },
]

/** The persons of the project, and those found by a part of what names them, or by their properties. */
export function Persons() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: PERSONS,
    variables: {
      projectId,
      filter: { search: search.search, properties: search.where?.map(toPersonFilter) },
      first: PAGE_SIZE,
      after: search.after,
    },
    requestPolicy: "cache-and-network",
  })
  const { names } = usePropertyNames("person")
  /** Other filters begin at the first page again. */
  const change = (changed: PersonsSearch): void =>
    void navigate({ search: { ...search, after: undefined, ...changed }, replace: true })
  return (
    <Page title="Persons">
      <Group gap="md" align="flex-end">
        <SearchField
          placeholder="Name, e-mail or distinct id"
          value={search.search}
          onChange={(text) => change({ search: text })}
        />
        <ConditionEditor
          conditions={search.where}
          names={names.map(({ name }) => name)}
          onChange={(where) => change({ where: where.length === 0 ? undefined : where })}
        />
      </Group>
      <PagedTable
        label="Persons"
        columns={COLUMNS}
        of={answer}
        toPage={({ persons }) => persons}
        after={search.after}
        onPage={(after) => void navigate({ search: { ...search, after } })}
        empty={search.search === undefined && search.where === undefined ? NONE : NONE_FOUND}
      />
    </Page>
  )
}

const NONE = <EmptyState title="No persons yet" hint="Send an event with a distinct id: its person appears here." />
const NONE_FOUND = (
  <EmptyState title="Nobody was found" hint="Nobody fits this text and these filters. Try less of them." />
)
