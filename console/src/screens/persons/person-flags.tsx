import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import type { PersonFlagsQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { type Column, DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PropertyValue } from "../../ui/property-table"
import { PERSON_FLAGS } from "./persons.queries"

type Decided = NonNullable<NonNullable<PersonFlagsQuery["person"]>["flags"]>[number]

const toValue = ({ enabled, failed, variant }: Decided): string =>
  failed ? "not computed" : (variant ?? (enabled ? "on" : "off"))

const COLUMNS: readonly Column<Decided>[] = [
  {
    title: "Flag",
    cell: ({ key }) => (
      <Link from="/project/$project" to="/project/$project/flags/$key" params={{ key }}>
        {key}
      </Link>
    ),
  },
  { title: "Is", cell: toValue },
  { title: "Why", cell: ({ reason }) => reason.description },
  { title: "Payload", cell: ({ payload }) => (payload === null ? "" : <PropertyValue of={payload} />) },
]

/** What every flag is for the person, decided anew, and why. */
export function PersonFlags({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const answer = useQuery({ query: PERSON_FLAGS, variables: { projectId, uuid }, requestPolicy: "network-only" })
  return (
    <Answer of={answer}>
      {({ person }) =>
        person?.flags?.length ? (
          <DataTable label="Flags of the person" columns={COLUMNS} rows={person.flags} toKey={({ key }) => key} />
        ) : (
          <EmptyState title="No flags" hint="The project has no flag that could be decided for this person." />
        )
      }
    </Answer>
  )
}
