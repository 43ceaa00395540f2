import { Alert, List, Stack, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useQuery } from "urql"
import { useProject } from "../../../project/project"
import { Time } from "../../../ui/time"
import { AFTER_CHANGES } from "../flags.queries"
import { WAITING_CHANGES } from "./approval.queries"

const WaitingChange = lazy(async () => ({ default: (await import("./waiting-change")).WaitingChange }))

const SHOWN = 20

/**
 * Changes of all flags that wait for a second person. Each leads to the page of its flag, where it is decided; those of
 * deleted flags are decided here, because these have no page.
 */
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
    <Stack gap="sm" align="stretch">
      <Alert
        color="yellow"
        role="region"
        title={`Changes that wait for a second person: ${totalCount.toLocaleString()}`}
      >
        <List size="sm" listStyleType="none">
          {nodes.map(({ id, flagKey, featureFlag, changes, createdBy, createdAt }) => (
            <List.Item key={id}>
              {featureFlag === null ? (
                `${flagKey}, which is deleted`
              ) : (
                <Link from="/project/$project/flags" to="/project/$project/flags/$key" params={{ key: flagKey }}>
                  {flagKey}
                </Link>
              )}
              {`: ${changes.map(({ field }) => field).join(", ")} `}
              <Text span size="sm" c="dimmed">
                asked for by {createdBy?.email ?? "somebody"} <Time of={createdAt} />
              </Text>
            </List.Item>
          ))}
        </List>
      </Alert>
      <Suspense>
        {nodes.map(
          (waiting) =>
            waiting.featureFlag === null && (
              <WaitingChange
                key={waiting.id}
                of={waiting}
                title={`A change of the deleted flag ${waiting.flagKey} waits for a second person`}
              />
            ),
        )}
      </Suspense>
    </Stack>
  )
}
