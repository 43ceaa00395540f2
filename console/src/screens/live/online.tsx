import { Anchor, Group, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { useRenewal } from "../../ui/use-renewal"
import { ONLINE } from "./live.queries"

const MINUTES = 5
const MOST_SHOWN = 6

/** Who sent an event in the last minutes. */
export function Online() {
  const { id: projectId } = useProject()
  const variables = { number: Number(projectId), minutes: MINUTES, first: MOST_SHOWN }
  const [{ data }, ask] = useQuery({ query: ONLINE, variables, requestPolicy: "cache-and-network" })
  useRenewal(ask)
  const online = data?.project?.personsOnline
  const persons = online?.persons ?? []
  const others = (online?.count ?? 0) - persons.length
  return (
    <Group component="section" aria-label="Online now" gap="4px 12px">
      <Text size="sm" c="dimmed">
        {`Online in the last ${MINUTES} minutes: ${online?.count.toLocaleString() ?? "…"}`}
      </Text>
      {persons.map(({ id, uuid, name }) => (
        <Anchor
          key={id}
          size="sm"
          truncate
          maw="min(20rem, 100%)"
          renderRoot={(props) => (
            <Link
              {...props}
              from="/project/$project"
              to="/project/$project/persons/$person"
              params={{ person: uuid }}
            />
          )}
        >
          {name}
        </Anchor>
      ))}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {`and ${others.toLocaleString()} more`}
        </Text>
      )}
    </Group>
  )
}
