import { Button, Code, Group, Modal, Stack, Tabs } from "@mantine/core"
import { useClipboard } from "@mantine/hooks"
import { Link } from "@tanstack/react-router"
import type { QueryInput } from "../../../graph/generated/graphql"
import { useProject } from "../../../project/project"
import type { Result } from "../../../results/result"
import { toDocument } from "../question/to-document"

interface SourceDialogProps {
  readonly onClose: () => void
  readonly input: QueryInput
  /** Of the query; null while there is none. */
  readonly result: Result | null
}

/** The query behind an insight, to be taken elsewhere: in HogQL and in GraphQL. */
export function SourceDialog({ onClose, input, result }: SourceDialogProps) {
  const { id } = useProject()
  const { document, variables } = toDocument(input, id)
  const hogql = result !== null && "hogql" in result ? (result.hogql ?? "") : ""
  return (
    <Modal opened onClose={onClose} title="As a query" size="xl">
      <Tabs defaultValue="hogql">
        <Tabs.List>
          <Tabs.Tab value="hogql">HogQL</Tabs.Tab>
          <Tabs.Tab value="graphql">GraphQL</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hogql" pt="sm">
          <Source
            text={hogql}
            action={
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link {...props} to="/project/$project/hogql" params={{ project: id }} search={{ query: hogql }} />
                )}
              >
                Go on in HogQL
              </Button>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="graphql" pt="sm">
          <Source
            text={`${document}\n# Variables\n${variables}`}
            action={
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/project/$project/graphql"
                    params={{ project: id }}
                    search={{ query: document, variables }}
                  />
                )}
              >
                Open in the explorer
              </Button>
            }
          />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  )
}

function Source({ text, action }: { readonly text: string; readonly action?: React.ReactNode }) {
  const { copy, copied } = useClipboard()
  return (
    <Stack gap="sm">
      <Code block mah={420} style={{ overflow: "auto", whiteSpace: "pre-wrap" }} tabIndex={0}>
        {text}
      </Code>
      <Group gap="xs">
        <Button onClick={() => copy(text)}>{copied ? "Copied" : "Copy"}</Button>
        {action}
      </Group>
    </Stack>
  )
}
