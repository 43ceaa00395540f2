import { Alert, Code, List } from "@mantine/core"
import { useQuery } from "urql"
import type { CausesQuery } from "../../graph/generated/graphql"
import { writeDuration } from "../../pictures/numbers"
import { useProject } from "../../project/project"
import { Time } from "../../ui/time"
import { useRenewal } from "../../ui/use-renewal"
import { CAUSES } from "./start.queries"
import { useReach } from "./use-reach"

type Warning = NonNullable<CausesQuery["ingestionWarnings"]>["nodes"][number]

const RENEWED_EVERY_MS = 5_000

/** What the server and this browser have noticed themselves, and what usually is the matter. */
export function ProbableCauses() {
  const { id: projectId } = useProject()
  const variables = { projectId, number: Number(projectId) }
  const [{ data }, ask] = useQuery({ query: CAUSES, variables, requestPolicy: "network-only" })
  useRenewal(ask, RENEWED_EVERY_MS)
  const reach = useReach()
  const refused = data?.project?.refusedKeys ?? []
  const used = data?.project?.settings?.quotaLimits ?? []
  return (
    <Alert color="yellow" title="Nothing has come for half a minute">
      <List size="sm" spacing={4}>
        {refused.map(({ beginsWith, count, lastAt }) => (
          <List.Item key={`${beginsWith} ${lastAt}`}>
            The server has refused a key that begins with <Code>{beginsWith}</Code> and that no project has, last{" "}
            <Time of={lastAt} />
            {count > 1 && `, ${count.toLocaleString()} times`}. Use the one below.
          </List.Item>
        ))}
        {used.map(({ resource, until }) => (
          <List.Item key={resource}>
            The quota of {resource.toLowerCase().replaceAll("_", " ")} is used up
            {until !== null && (
              <>
                {" "}
                until <Time of={until} />
              </>
            )}
            : what comes is dropped.
          </List.Item>
        ))}
        {(data?.ingestionWarnings?.nodes ?? []).map((warning) => (
          <List.Item key={`${warning.reason} ${warning.event} ${warning.lastAt}`}>
            <Noticed warning={warning} />
          </List.Item>
        ))}
        {reach?.isBlocked === true && (
          <List.Item>
            This browser lets no event through to {location.origin}: an ad blocker or a policy of the network stops it.
            Allow this address, or send events by an address of your own site.
          </List.Item>
        )}
        {reach !== null && reach.aheadMs !== 0 && (
          <List.Item>
            The clock of this device is {writeDuration(Math.abs(reach.aheadMs) / 1000)}{" "}
            {reach.aheadMs > 0 ? "ahead of" : "behind"} that of the server: events are stored at the wrong time.
          </List.Item>
        )}
        {refused.length === 0 && (
          <List.Item>Is the key in your application exactly the one below? A wrong key is answered with 401.</List.Item>
        )}
        <List.Item>Can your application reach {location.origin}? From a telephone or a container it may not.</List.Item>
        {reach?.isBlocked !== true && (
          <List.Item>
            Does the browser of your application block it? Look for failed requests in its network tools.
          </List.Item>
        )}
        <List.Item>Is its clock right? An event of the past is stored, but it is not what you look at.</List.Item>
      </List>
    </Alert>
  )
}

/** What became of events that came. */
const Noticed = ({
  warning: { reason, severity, detail, event, occurrences, lastAt },
}: {
  readonly warning: Warning
}) => (
  <>
    The server has {severity === "DROPPED" ? "dropped" : "changed"} {occurrences.toLocaleString()} of{" "}
    {event === null ? "your events" : `“${event}”`}, last <Time of={lastAt} />:{" "}
    {detail ?? reason.toLowerCase().replaceAll("_", " ")}.
  </>
)
