import { Stack, Tabs } from "@mantine/core"
import { CopiedCode } from "./copied-code"

/** Code for one kind of application. */
export interface Snippet {
  readonly title: string
  /** What is run first, to have the SDK; absent where nothing is needed. */
  readonly install?: string
  readonly code: string
}

/** The same in several languages, one at a time; begins with the browser's. */
export function SnippetTabs({ snippets }: { readonly snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue="Browser" keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ title }) => (
          <Tabs.Tab key={title} value={title}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ title, install, code }) => (
        <Tabs.Panel key={title} value={title}>
          <Stack gap="xs">
            {install !== undefined && <CopiedCode label="the installation" code={install} />}
            <CopiedCode label="the snippet" code={code} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
