import { useEffect, useRef, useState } from "react"
import type { CombinedError } from "urql"
import { follow } from "../../graph/follow"
import type { LiveEventsSubscription, LiveEventsSubscriptionVariables } from "../../graph/generated/graphql"
import { useGraph } from "../../graph/graph"
import { LIVE_EVENTS } from "./live.queries"

/** An event as it came. */
export type LiveEvent = LiveEventsSubscription["liveEvents"]

/** Rows that are kept; older ones are among the stored events. */
const MAX_EVENTS = 200
/** Events that come within this time are drawn together, so that many in a second cost no more than a few. */
const DRAWN_EVERY_MS = 200

/** What has come so far. */
export interface LiveEvents {
  /** The newest first. */
  readonly events: readonly LiveEvent[]
  /** Events that were left out because there were too many. */
  readonly missed: number
  readonly failure: CombinedError | null
}

const NOTHING: LiveEvents = { events: [], missed: 0, failure: null }

/** Follows the events of a project from now on; after a lost connection goes on where it was, without a gap. */
export function useLiveEvents({ projectId, event, properties }: LiveEventsSubscriptionVariables): LiveEvents {
  const graph = useGraph()
  const [shown, setShown] = useState(NOTHING)
  const drawing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const filter = JSON.stringify({ projectId, event, properties })
  useEffect(() => {
    let since: string | undefined
    let waiting: LiveEvent[] = []
    setShown(NOTHING)
    const draw = (): void => {
      drawing.current = undefined
      const fresh = waiting.reverse()
      waiting = []
      setShown(({ events, missed, failure }) => ({
        events: [...fresh, ...events].slice(0, MAX_EVENTS),
        missed: fresh.reduce((sum, { missedBefore }) => sum + missedBefore, missed),
        failure,
      }))
    }
    const stop = follow(graph, LIVE_EVENTS, () => ({ ...JSON.parse(filter), since }), {
      onData: ({ liveEvents }) => {
        since = liveEvents.cursor
        waiting.push(liveEvents)
        drawing.current ??= setTimeout(draw, DRAWN_EVERY_MS)
      },
      onFailure: (failure) => setShown((before) => ({ ...before, failure })),
    })
    return () => {
      clearTimeout(drawing.current)
      drawing.current = undefined
      stop()
    }
  }, [graph, filter])
  return shown
}
