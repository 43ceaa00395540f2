import { Paper, Skeleton, Text } from "@mantine/core"
import { useQuery } from "urql"
import { useProject } from "../../../project/project"
import { ResultPicture } from "../../../results/lazy-result-picture"
import { Answer } from "../../../ui/answer"
import { ASK } from "../insights.queries"

/** The answer of a query that the builder does not have, such as HogQL. */
export function StoredPicture({ query }: { readonly query: unknown }) {
  const { id: projectId } = useProject()
  const answer = useQuery({ query: ASK, variables: { projectId, input: { raw: query } } })
  return (
    <Paper withBorder p="md" component="section" aria-label="Answer">
      <Text size="sm" c="dimmed" mb="sm">
        This question was not made with the builder, which cannot change it.
      </Text>
      <Answer of={answer} skeleton={<Skeleton height={320} />}>
        {(data) => (data.query === null ? null : <ResultPicture result={data.query} />)}
      </Answer>
    </Paper>
  )
}
