import { startTransition, useEffect, useRef, useState } from "react"
import type { CombinedError, TypedDocumentNode } from "urql"
import { follow } from "./follow"
import { useGraph } from "./graph"

/** Rows that are kept; older ones are among the stored ones. */
const MAX_ROWS = 200
/** Rows that come within this time are drawn together, so that many in a second cost no more than a few. */
const DRAWN_EVERY_MS = 200

/** What comes of something that is followed. */
interface LiveRow {
  /** Behind which a new connection goes on. */
  readonly cursor: string
  /** Rows that were left out before it. */
  readonly missedBefore: number
}

/** What has come so far. */
export interface LiveRows<Row> {
  /** The newest first. */
  readonly rows: readonly Row[]
  /** Rows that were left out because there were too many. */
  readonly missed: number
  readonly failure: CombinedError | null
}

/**
 * Follows the rows of a subscription from now on; after a lost connection it goes on where it was, without a gap.
 * Other `variables` begin anew. `toRow` stays the same function.
 */
export function useLiveRows<Data, Variables extends Record<string, unknown>, Row extends LiveRow>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  toRow: (data: Data) => Row,
): LiveRows<Row> {
  const graph = useGraph()
  const [shown, setShown] = useState<LiveRows<Row>>({ rows: [], missed: 0, failure: null })
  const drawing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = JSON.stringify(variables)
  useEffect(() => {
    let since: string | undefined
    let waiting: Row[] = []
    setShown({ rows: [], missed: 0, failure: null })
    const draw = (): void => {
      drawing.current = undefined
      const fresh = waiting.reverse()
      waiting = []
      // Hundreds of rows come at once when the server has stored a batch: they are drawn between frames, not in one.
      startTransition(() =>
        setShown(({ rows, missed, failure }) => ({
          rows: [...fresh, ...rows].slice(0, MAX_ROWS),
          missed: fresh.reduce((sum, { missedBefore }) => sum + missedBefore, missed),
          failure,
        })),
      )
    }
    const stop = follow(graph, document, () => ({ ...JSON.parse(asked), since }), {
      onData: (data) => {
        const row = toRow(data)
        since = row.cursor
        waiting.push(row)
        drawing.current ??= setTimeout(draw, DRAWN_EVERY_MS)
      },
      onFailure: (failure) => setShown((before) => ({ ...before, failure })),
    })
    return () => {
      clearTimeout(drawing.current)
      drawing.current = undefined
      stop()
    }
  }, [graph, asked, document, toRow])
  return shown
}
