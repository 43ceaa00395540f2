import { Button, TextInput } from "@mantine/core"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PersonsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { Time } from "../../ui/time"
import { PERSONS } from "./persons.queries"

type Person = NonNullable<PersonsQuery["persons"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/persons"

const COLUMNS: readonly Column<Person>[] = [
  {
    title: "Person",
    cell: ({ uuid, name }) => (
      <Link from={FROM} to="/project/$project/persons/$person" params={{ person: uuid }}>
        {name}
      </Link>
    ),
  },
  {
    title: "Distinct ids",
    cell: ({ distinctIds: [first, ...more] }) => `${first ?? ""}${more.length > 0 ? ` and ${more.length} more` : ""}`,
  },
  { title: "Identified", cell: ({ isIdentified }) => (isIdentified ? "yes" : "no") },
  { title: "First seen", cell: ({ createdAt }) => <Time of={createdAt} /> },
]

/** The persons of the project, and those found by a part of what names them. */
export function Persons() {
  const { id: projectId } = useProject()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: PERSONS,
    variables: { projectId, first: PAGE_SIZE, ...search },
    requestPolicy: "cache-and-network",
  })
  return (
    <Page title="Persons">
      <TextInput
        label="Search"
        placeholder="Name, e-mail or distinct id"
        maw={320}
        defaultValue={search.search}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { search: value || undefined }, replace: true })
        }
      />
      <Answer of={answer}>
        {({ persons }) => {
          if (!persons?.nodes.length) return search.search === undefined ? NONE : NONE_FOUND
          const { hasNextPage, endCursor } = persons.pageInfo
          return (
            <>
              <DataTable label="Persons" columns={COLUMNS} rows={persons.nodes} toKey={({ id }) => id} />
              {hasNextPage && (
                <Button
                  variant="default"
                  style={{ alignSelf: "flex-start" }}
                  onClick={() => void navigate({ search: { ...search, after: endCursor ?? undefined } })}
                >
                  Next page
                </Button>
              )}
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

const NONE = <EmptyState title="No persons yet" hint="Send an event with a distinct id: its person appears here." />
const NONE_FOUND = (
  <EmptyState title="Nobody was found" hint="No name, e-mail address or distinct id has this text. Try less of it." />
)
