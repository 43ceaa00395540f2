import { Stack, Text } from "@mantine/core"
import { useQuery } from "urql"
import { useProject } from "../../project/project"
import { Answer } from "../../ui/answer"
import { SnippetTabs } from "../../ui/snippet-tabs"
import { PROJECT_KEY } from "./flags.queries"
import { type AskedFlag, writeFlagSnippets } from "./snippets"

/** How code asks for a flag, for each kind of application. */
export function FlagCode({ flag }: { readonly flag: AskedFlag }) {
  const project = useProject()
  const answer = useQuery({ query: PROJECT_KEY, variables: { number: Number(project.id) } })
  return (
    <Answer of={answer}>
      {({ project: found }) => {
        const snippets = writeFlagSnippets(flag, found?.apiToken ?? "phc_…", location.origin)
        return (
          <Stack gap="xs" maw={760}>
            <Text size="sm" c="dimmed">
              Put the distinct id of your user in the place of "ada". In a browser the SDK knows it.
            </Text>
            <SnippetTabs snippets={snippets} />
          </Stack>
        )
      }}
    </Answer>
  )
}
