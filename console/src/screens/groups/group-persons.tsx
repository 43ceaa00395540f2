import { Stack, Text } from "@mantine/core"
import { useQuery } from "urql"
import type { GroupName } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { PERSON_COLUMNS } from "../../tables/person-columns"
import { Answer } from "../../ui/answer"
import { DataTable } from "../../ui/data-table"
import { EmptyState } from "../../ui/empty-state"
import { GROUP_PERSONS } from "./groups.queries"

/** Who did something in the group in the last 90 days. */
export function GroupPersons({ group }: { readonly group: GroupName }) {
  const { id: projectId } = useProject()
  const answer = useQuery({
    query: GROUP_PERSONS,
    variables: { projectId, group },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer}>
      {({ group: found }) =>
        found?.persons?.length ? (
          <Stack gap="sm">
            <DataTable label="Persons" columns={PERSON_COLUMNS} rows={found.persons} toKey={({ id }) => id} />
            <Text size="sm" c="dimmed">
              The last hundred, by the events of the last 90 days.
            </Text>
          </Stack>
        ) : (
          <EmptyState title="Nobody" hint="Nobody sent an event with this group in the last 90 days." />
        )
      }
    </Answer>
  )
}
