import { Alert, Button, Loader, Text } from "@mantine/core"
import { Link, useParams } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { follow } from "../../graph/follow"
import type { FirstEventSubscription } from "../../graph/generated/graphql"
import { useGraph } from "../../graph/graph"
import { useProject } from "../../project/project"
import { Time } from "../../ui/time"
import { ProbableCauses } from "./probable-causes"
import { FIRST_EVENT } from "./start.queries"

/** After this long without an event something is probably wrong. */
const PATIENCE_MS = 30_000

/** The first event that arrives from now on; null until then. */
function useFirstEvent(projectId: string): FirstEventSubscription["liveEvents"] | null {
  const graph = useGraph()
  const [first, setFirst] = useState<FirstEventSubscription["liveEvents"] | null>(null)
  useEffect(
    () =>
      follow(graph, FIRST_EVENT, () => ({ projectId }), {
        onData: ({ liveEvents }) => setFirst((known) => known ?? liveEvents),
        onFailure: () => undefined,
      }),
    [graph, projectId],
  )
  return first
}

/** Waits for an event from anywhere and says so at once; says what is probably wrong when none comes. */
export function FirstEvent() {
  const { id } = useProject()
  const { project } = useParams({ from: "/project/$project" })
  const first = useFirstEvent(id)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (first !== null)
    return (
      <Alert color="green" title="Your event has arrived" role="status">
        <Text size="sm" mb="sm">
          “{first.event}”, <Time of={first.timestamp} />. From now on everything is listed as it comes.
        </Text>
        <Button renderRoot={(props) => <Link {...props} to="/project/$project/live" params={{ project }} />}>
          See live events
        </Button>
      </Alert>
    )
  return (
    <>
      <Alert variant="default" icon={<Loader size={18} />} title="Waiting for an event" role="status">
        Run the snippet: this line changes by itself.
      </Alert>
      {isLate && <ProbableCauses />}
    </>
  )
}
