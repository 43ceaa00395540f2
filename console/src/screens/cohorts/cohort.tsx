import { Button, Text } from "@mantine/core"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { CohortQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import type { Column } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { Page } from "../../ui/page"
import { PagedTable } from "../../ui/paged-table"
import { Time } from "../../ui/time"
import { CohortUses } from "./cohort-uses"
import { COHORT } from "./cohorts.queries"
import { MissingCohort } from "./missing-cohort"

type Cohort = NonNullable<CohortQuery["cohort"]>
type Member = NonNullable<Cohort["persons"]>["nodes"][number]

const PAGE_SIZE = 50
const FROM = "/project/$project/cohorts/$cohort"

const COLUMNS: readonly Column<Member>[] = [
  {
    title: "Person",
    cell: ({ uuid, name }) => (
      <Link from={FROM} to="/project/$project/persons/$person" params={{ person: uuid }}>
        {name}
      </Link>
    ),
  },
  { title: "Distinct id", cell: ({ distinctIds }) => distinctIds[0] ?? "" },
]

/** One cohort: how many it holds, whom, and what asks for it. */
export function CohortPage() {
  const { id: projectId } = useProject()
  const { cohort: number } = useParams({ from: FROM })
  const { after } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const answer = useQuery({
    query: COHORT,
    variables: { projectId, number: Number(number), after, first: PAGE_SIZE },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ cohort }) =>
        cohort === null ? (
          <MissingCohort />
        ) : (
          <Page
            title={cohort.name || `Cohort ${cohort.number}`}
            actions={
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    from={FROM}
                    to="/project/$project/cohorts/$cohort/edit"
                    params={{ cohort: number }}
                  />
                )}
              >
                Edit
              </Button>
            }
          >
            {cohort.description !== "" && <Text size="sm">{cohort.description}</Text>}
            <Text size="sm" c="dimmed">
              {`Members: ${(cohort.persons?.totalCount ?? 0).toLocaleString()}, `}
              {cohort.isStatic ? "listed" : "described by conditions"}, made <Time of={cohort.createdAt} />
            </Text>
            <CohortUses of={cohort.usedBy} />
            <PagedTable
              label="Members"
              columns={COLUMNS}
              of={answer}
              toPage={({ cohort: found }) => found?.persons}
              after={after}
              onPage={(cursor) => void navigate({ search: { after: cursor } })}
              empty={<EmptyState title="No members" hint="Nobody is in this cohort now." />}
            />
          </Page>
        )
      }
    </Answer>
  )
}
