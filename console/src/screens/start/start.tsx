import { Stack, Text, Title } from "@mantine/core"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { CopiedCode } from "../../ui/copied-code"
import { Page } from "../../ui/page"
import { SnippetTabs } from "../../ui/snippet-tabs"
import { FirstEvent } from "./first-event"
import { writeSnippets } from "./snippets"
import { START } from "./start.queries"

/** How to send the first event, and whether it has arrived. */
export function Start() {
  const { id } = useProject()
  const answer = useQuery({ query: START, variables: { number: Number(id) } })
  return (
    <Page title="Start">
      <Answer of={answer}>
        {({ project }) => (
          <Stack gap="lg" maw={760}>
            <FirstEvent />
            <section>
              <Title order={2} size="h5" mb={4}>
                Key of the project
              </Title>
              <Text size="sm" c="dimmed" mb="xs">
                Applications send events and ask for flags with it. It is no secret: it may stand in a page.
              </Text>
              <CopiedCode label="the key" code={project?.apiToken ?? "Your key may not see it."} />
            </section>
            <section>
              <Title order={2} size="h5" mb="xs">
                Send an event
              </Title>
              <SnippetTabs snippets={writeSnippets(project?.apiToken ?? "phc_…", location.origin)} />
            </section>
          </Stack>
        )}
      </Answer>
    </Page>
  )
}
