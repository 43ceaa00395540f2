import { useComputedColorScheme, VisuallyHidden } from "@mantine/core"
import { GraphiQL } from "graphiql"
import { useMemo } from "react"
import "graphiql/style.css"
import "./explorer.css"
import { useGraph } from "../../graph/graph"
import { EXAMPLES_PLUGIN } from "./examples-plugin"
import { createFetcher } from "./fetcher"
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

/** GraphiQL over this server's graph, with examples and pictures of results; its address may bring an operation along. */
export function Explorer() {
  const graph = useGraph()
  const theme = useComputedColorScheme("light")
  const fetcher = useMemo(() => createFetcher(graph), [graph])
  const given = new URLSearchParams(location.search)
  return (
    <div className="explorer">
      <title>GraphQL · Waymark</title>
      <VisuallyHidden component="h1">GraphQL</VisuallyHidden>
      <GraphiQL
        fetcher={fetcher}
        plugins={PLUGINS}
        forcedTheme={theme}
        query={given.get("query") ?? undefined}
        variables={given.get("variables") ?? undefined}
        defaultQuery={WELCOME}
        isHeadersEditorEnabled={false}
        visiblePlugin={EXAMPLES_PLUGIN}
      />
    </div>
  )
}
