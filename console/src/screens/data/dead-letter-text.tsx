import { Code, Skeleton, Text } from "@mantine/core"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { DEAD_LETTER_TEXT } from "./data.queries"

/** What was sent with a dead letter, as it came. */
export function DeadLetterText({ id }: { readonly id: string }) {
  const { id: projectId } = useProject()
  const answer = useQuery({ query: DEAD_LETTER_TEXT, variables: { projectId, id } })
  return (
    <Answer of={answer} skeleton={<Skeleton height={60} />}>
      {({ deadLetterText }) =>
        deadLetterText === null ? (
          <Text size="sm">It is gone: somebody has removed it, or it was tried again.</Text>
        ) : (
          <Code block className="letter-text" tabIndex={0}>
            {deadLetterText}
          </Code>
        )
      }
    </Answer>
  )
}
