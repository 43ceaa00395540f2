import { Alert, List, Paper, Skeleton, Stack, Text } from "@mantine/core"
import { useQuery } from "urql"
import type { TrendsInput, UsageQuery } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { ResultPicture } from "../../results/lazy-result-picture"
import { Answer } from "../../ui/answer"
import { Time } from "../../ui/time"
import { Section } from "./section"
import { USAGE } from "./usage.queries"

const EVENTS: TrendsInput = { dates: { from: "-30d" }, interval: "DAY", series: [{ math: "TOTAL" }] }
const RECORDINGS = {
  query: `SELECT toDate(start_time) AS day, count() AS recordings, round(sum(size) / 1000000, 1) AS megabytes
    FROM session_replay_events WHERE start_time > now() - INTERVAL 30 DAY GROUP BY day ORDER BY day DESC`,
}

/** What arrives in the project, and what its quotas leave. */
export function Usage() {
  const { id: projectId } = useProject()
  const answer = useQuery({
    query: USAGE,
    variables: { projectId, number: Number(projectId), events: EVENTS, recordings: RECORDINGS },
    requestPolicy: "cache-and-network",
  })
  return (
    <Answer of={answer} skeleton={<Skeleton height={320} />}>
      {({ events, recordings, flagRequestUsage, project }) => (
        <Stack gap="xl">
          <UsedUp limits={project?.settings.quotaLimits ?? []} />
          <Section title="Events of the last 30 days">
            <Paper withBorder p="md">
              {events !== null && <ResultPicture result={events} view="lines" />}
            </Paper>
          </Section>
          <Section title="Recordings of the last 30 days">
            {recordings !== null && <ResultPicture result={recordings} />}
          </Section>
          {flagRequestUsage !== null && <FlagRequests usage={flagRequestUsage} />}
        </Stack>
      )}
    </Answer>
  )
}

type Limits = NonNullable<NonNullable<UsageQuery["project"]>["settings"]["quotaLimits"]>

/** What is dropped now, because the project has used it up. */
function UsedUp({ limits }: { readonly limits: Limits }) {
  const dropped = limits.flatMap(({ resource, until }) =>
    until !== null && Date.parse(until) > Date.now() ? [{ resource, until }] : [],
  )
  return (
    dropped.length > 0 && (
      <Alert color="yellow" title="Some of what arrives is dropped">
        <List size="sm">
          {dropped.map(({ resource, until }) => (
            <List.Item key={resource}>
              {resource.toLowerCase().replaceAll("_", " ")} until <Time of={until} />
            </List.Item>
          ))}
        </List>
      </Alert>
    )
  )
}

interface FlagRequestsProps {
  readonly usage: NonNullable<UsageQuery["flagRequestUsage"]>
}

/** How often the organization asked for flags this month, and how often it still may. */
function FlagRequests({ usage: { month, used, limit } }: FlagRequestsProps) {
  const left = limit === null ? "There is no limit." : `${Math.max(0, limit - used).toLocaleString()} are left.`
  return (
    <Section title="Flag requests">
      <Text size="sm">{`${used.toLocaleString()} in ${month} (UTC), of the whole organization. ${left}`}</Text>
    </Section>
  )
}
