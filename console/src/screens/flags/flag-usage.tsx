import { Skeleton, Stack, Text } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "urql"
import { DateRange } from "../../filters/date-range"
import type { TrendsInput } from "../../graph/generated/graphql"
import { useProject } from "../../project/project"
import { ResultPicture } from "../../results/lazy-result-picture"
import { Answer } from "../../ui/answer"
import { EmptyState } from "../../ui/empty-state"
import { FLAG_CALLS } from "./flags.queries"

const FROM = "/project/$project/flags/$key"
const EVENT = "$feature_flag_called"

/** How often applications asked for a flag, by what they got: SDKs send an event for each value that a user gets. */
export function FlagUsage({ flagKey }: { readonly flagKey: string }) {
  const project = useProject()
  const { from = "-30d", to } = useSearch({ from: FROM })
  const navigate = useNavigate({ from: FROM })
  const trends: TrendsInput = {
    dates: { from, to },
    series: [{ event: EVENT, math: "TOTAL" }],
    properties: [{ event: { key: "$feature_flag", operator: "EXACT", value: flagKey } }],
    breakdown: { properties: [{ key: "$feature_flag_response", type: "EVENT" }] },
  }
  const answer = useQuery({
    query: FLAG_CALLS,
    variables: { projectId: project.id, trends },
    requestPolicy: "cache-and-network",
  })
  return (
    <Stack gap="sm" maw={960}>
      <DateRange
        dates={{ from, ...(to !== undefined && { to }) }}
        onChange={(dates) => void navigate({ search: (old) => ({ ...old, ...dates }) })}
      />
      <Text size="sm" c="dimmed">
        Calls by value, as SDKs report them: one for each value that a user gets.
      </Text>
      <Answer of={answer} skeleton={<Skeleton height={320} />}>
        {({ query }) =>
          query?.__typename === "TrendsResult" && query.trends.some(({ total }) => (total ?? 0) > 0) ? (
            <ResultPicture result={query} />
          ) : (
            <EmptyState
              title="No calls in this time"
              hint={`No SDK has sent ${EVENT} for this flag. How code asks for it is said beside, in code.`}
            />
          )
        }
      </Answer>
    </Stack>
  )
}
