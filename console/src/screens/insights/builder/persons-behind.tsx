import { Button, Drawer, Stack, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useQuery } from "urql"
import * as z from "zod/mini"
import { useProject } from "../../../project/project"
import type { Chosen } from "../../../results/chosen"
import { Answer } from "../../../ui/answer"
import { type Column, DataTable } from "../../../ui/data-table"
import { EmptyState } from "../../../ui/empty-state"
import { PropertyTable } from "../../../ui/property-table"
import { ACTORS } from "../insights.queries"
import type { Question } from "../question/question"
import { toActorsSource } from "../question/to-actors"

const PAGE_SIZE = 50

/** A person as the column `person` of the query has them. */
const PERSON = z.object({
  id: z.string(),
  distinct_ids: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()),
})
type Person = z.infer<typeof PERSON>

function readPersons(rows: readonly (readonly unknown[] | null)[]): Person[] {
  return rows.flatMap((row) => {
    const read = z.safeParse(PERSON, row?.[0])
    return read.success ? [read.data] : []
  })
}

const toName = ({ properties, distinct_ids }: Person): string =>
  [properties.email, properties.name, distinct_ids[0]].find((one) => typeof one === "string") as string

const COLUMNS: readonly Column<Person>[] = [
  {
    title: "Person",
    cell: (person) => (
      <Link from="/project/$project" to="/project/$project/persons/$person" params={{ person: person.id }}>
        {toName(person)}
      </Link>
    ),
  },
  { title: "Distinct id", cell: ({ distinct_ids }) => distinct_ids[0] ?? "" },
]

interface PersonsBehindProps {
  readonly question: Question
  /** The part of the picture. */
  readonly chosen: Chosen
  readonly onClose: () => void
}

/** The persons behind a part of a picture, beside it. */
export function PersonsBehind({ question, chosen, onClose }: PersonsBehindProps) {
  return (
    <Drawer opened={chosen !== null} onClose={onClose} position="right" size="lg" title={chosen.title}>
      <Persons question={question} chosen={chosen} />
    </Drawer>
  )
}

function Persons({ question, chosen }: { readonly question: Question; readonly chosen: Chosen }) {
  const { id } = useProject()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const input = { source: toActorsSource(question, chosen), select: ["person", "id"], limit }
  const answer = useQuery({ query: ACTORS, variables: { projectId: id, input } })
  return (
    <Answer of={answer}>
      {({ query }) => {
        if (query?.__typename !== "ActorsResult") return <Text size="sm">The persons are still being looked for.</Text>
        const persons = readPersons(query.rows)
        if (persons.length === 0)
          return <EmptyState title="Nobody" hint="There is no person behind this, or they have been deleted." />
        return (
          <Stack gap="sm">
            <DataTable
              label="Persons"
              columns={COLUMNS}
              rows={persons}
              toKey={(person) => person.id}
              detail={({ properties }) => <PropertyTable properties={properties} />}
            />
            {query.hasMore && (
              <Button
                variant="default"
                style={{ alignSelf: "flex-start" }}
                loading={answer[0].fetching}
                onClick={() => setLimit(limit + PAGE_SIZE)}
              >
                More
              </Button>
            )}
          </Stack>
        )
      }}
    </Answer>
  )
}
