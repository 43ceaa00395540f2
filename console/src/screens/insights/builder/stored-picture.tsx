import { Anchor, Group, Paper, Skeleton, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { useQuery } from "urql"
import * as z from "zod/mini"
import { useProject } from "../../../project/project"
import { ResultPicture } from "../../../results/lazy-result-picture"
import { Answer } from "../../../ui/answer"
import { ASK } from "../insights.queries"

const HOGQL = z.object({ kind: z.literal("HogQLQuery"), query: z.string() })

/** The answer of a query that the builder does not have, such as HogQL. */
export function StoredPicture({ query }: { readonly query: unknown }) {
  const { id: projectId } = useProject()
  const answer = useQuery({ query: ASK, variables: { projectId, input: { raw: query } } })
  const hogql = z.safeParse(HOGQL, query)
  return (
    <Paper withBorder p="md" component="section" aria-label="Answer">
      <Group gap="xs" mb="sm">
        <Text size="sm" c="dimmed">
          This question was not made with the builder, which cannot change it.
        </Text>
        {hogql.success && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                from="/project/$project"
                to="/project/$project/hogql"
                search={{ query: hogql.data.query }}
              />
            )}
          >
            Go on in HogQL
          </Anchor>
        )}
      </Group>
      <Answer of={answer} skeleton={<Skeleton height={320} />}>
        {(data) => (data.query === null ? null : <ResultPicture result={data.query} />)}
      </Answer>
    </Paper>
  )
}
