import { GraphiQL } from "graphiql"
import { useMemo, useState } from "react"
import { readApiKey } from "./api-key"
import { EXAMPLES_PLUGIN } from "./examples-plugin"
import { createFetcher } from "./fetcher"
import { KeyBar } from "./key-bar"
import { PICTURE_PLUGIN } from "./picture-plugin"

const WELCOME = `# Every type and field is described in the panel on the left.
# Ctrl-Enter runs the operation, Ctrl-Space completes it.

{
  me {
    email
  }
}
`

const PLUGINS = [PICTURE_PLUGIN, EXAMPLES_PLUGIN]

/** GraphiQL over this server's graph, with its key, examples and pictures of results. */
export function Explorer() {
  const [key, setKey] = useState(readApiKey)
  const fetcher = useMemo(() => createFetcher(key), [key])
  const given = new URLSearchParams(location.search)
  return (
    <>
      <KeyBar apiKey={key} onKey={setKey} />
      <main>
        <GraphiQL
          fetcher={fetcher}
          plugins={PLUGINS}
          query={given.get("query") ?? undefined}
          variables={given.get("variables") ?? undefined}
          defaultQuery={WELCOME}
          isHeadersEditorEnabled={false}
          visiblePlugin={EXAMPLES_PLUGIN}
        />
      </main>
    </>
  )
}
