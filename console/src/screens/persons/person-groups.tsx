import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { toGroupName } from "../../tables/group-name"
import { Answer } from "../../ui/answer"
import { DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { PERSON_GROUPS } from "./persons.queries"

/** The groups that the person's events of the last 90 days belong to. */
export function PersonGroups({ uuid }: { readonly uuid: string }) {
  const { id: projectId } = useProject()
  const answer = useQuery({
    query: PERSON_GROUPS,
    variables: { projectId, uuid },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ person, groupTypes }) => {
        if (!person?.groups?.length)
          return <EmptyState title="No groups" hint="No event of the last 90 days belongs to a group." />
        const types = new Map(groupTypes?.map(({ typeIndex, name }) => [typeIndex, name]))
        const groups = person.groups.map((group) => ({ ...group, type: types.get(group.typeIndex) ?? "" }))
        return (
          <DataTable
            label="Groups of the person"
            columns={[
              {
                title: "Group",
                cell: ({ type, key, properties }) => (
                  <Link
                    from="/project/$project"
                    to="/project/$project/groups/$type/$key"
                    params={{ type, key }}
                    search={{}}
                  >
                    {toGroupName({ key, properties })}
                  </Link>
                ),
              },
              { title: "Type", cell: ({ type }) => type },
              { title: "Key", cell: ({ key }) => key },
            ]}
            rows={groups}
            toKey={({ id }) => id}
          />
        )
      }}
    </Answer>
  )
}
