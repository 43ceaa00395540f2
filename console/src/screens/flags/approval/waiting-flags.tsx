import { Alert, List, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import { useProject } from "../../../project/project"
import { Time } from "../../../ui/time"
import { AFTER_CHANGES } from "../flags.queries"
import { WAITING_CHANGES } from "./approval.queries"

const SHOWN = 20

/** Changes of all flags that wait for a second person, each of which leads to where it is decided. */
export function WaitingFlags() {
  const { id: projectId } = useProject()
  const [{ data }] = useQuery({
    query: WAITING_CHANGES,
    variables: { projectId, first: SHOWN },
    requestPolicy: "cache-and-network",
    context: AFTER_CHANGES,
  })
  const { nodes = [], totalCount = 0 } = data?.featureFlagChangeRequests ?? {}
  if (nodes.length === 0) return null
  return (
    <Alert color="yellow" role="region" title={`Changes that wait for a second person: ${totalCount.toLocaleString()}`}>
      <List size="sm" listStyleType="none">
        {nodes.map(({ id, featureFlag, changes, createdBy, createdAt }) => (
          <List.Item key={id}>
            {featureFlag ? (
              <Link from="/project/$project/flags" to="/project/$project/flags/$key" params={{ key: featureFlag.key }}>
                {featureFlag.key}
              </Link>
            ) : (
              "A deleted flag"
            )}
            {`: ${changes.map(({ field }) => field).join(", ")} `}
            <Text span size="sm" c="dimmed">
              asked for by {createdBy?.email ?? "somebody"} <Time of={createdAt} />
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
