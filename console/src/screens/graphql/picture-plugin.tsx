import type { GraphiQLPlugin } from "@graphiql/react"
import { Picture } from "../../pictures/picture"
import { useLastResult } from "./last-result"

function Icon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M3 3v18h18M7 15l4-5 4 3 5-7" />
    </svg>
  )
}

function Cost({ extensions }: { readonly extensions: Record<string, unknown> | undefined }) {
  const cost = extensions?.cost as { requested?: number; actual?: number; limit?: number } | undefined
  if (cost?.limit === undefined) return null
  const points = cost.actual ?? cost.requested ?? 0
  return (
    <p className="hint">
      Cost {points} of {cost.limit} points
    </p>
  )
}

function Pane() {
  const result = useLastResult()
  return (
    <section className="picture" aria-label="Result, as a picture">
      <h2>Picture</h2>
      {result === null ? (
        <p className="hint">Run an operation: a query, a list or a run is drawn here.</p>
      ) : (
        <Picture data={result.data ?? null} />
      )}
      <Cost extensions={result?.extensions as Record<string, unknown> | undefined} />
    </section>
  )
}

/** A pane of GraphiQL that draws the last result: insights as charts, rows as a table, a run as its progress. */
export const PICTURE_PLUGIN: GraphiQLPlugin = { title: "Picture of the result", icon: Icon, content: Pane }
