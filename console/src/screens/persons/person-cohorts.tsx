import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PersonCohortsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PERSON_COHORTS } from "./persons.queries"

type Cohort = NonNullable<NonNullable<PersonCohortsQuery["person"]>["cohorts"]>[number]

const COLUMNS: readonly Column<Cohort>[] = [
  {
    title: "Cohort",
    cell: ({ name, number }) => (
      <Link from="/project/$project" to="/project/$project/cohorts/$cohort" params={{ cohort: String(number) }}>
        {name || `Cohort ${number}`}
      </Link>
    ),
  },
  { title: "Members are", cell: ({ isStatic }) => (isStatic ? "listed" : "described") },
  { title: "Description", cell: ({ description }) => description },
]

/** The cohorts that hold the person now. */
export function PersonCohorts({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const answer = useQuery({
    query: PERSON_COHORTS,
    variables: { projectId, uuid },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ person }) =>
        person?.cohorts?.length ? (
          <DataTable label="Cohorts of the person" columns={COLUMNS} rows={person.cohorts} toKey={({ id }) => id} />
        ) : (
          <EmptyState title="No cohorts" hint="No cohort of the project holds this person now." />
        )
      }
    </Answer>
  )
}
