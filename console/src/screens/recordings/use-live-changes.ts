import { useEffect, useState } from "react"
import { follow } from "../../graph/follow"
import { useGraph } from "../../graph/graph"
import { RECORDING_CHANGES } from "./recordings.queries"

/** Which sessions have begun to be recorded, or ended, since the list was opened. */
export type LiveChanges = ReadonlyMap<string, "STARTED" | "ENDED">

const NONE: LiveChanges = new Map()

/** Follows the recordings that start and end; after a lost connection goes on where it was. */
export function useLiveChanges(projectId: string): LiveChanges {
  const graph = useGraph()
  const [changes, setChanges] = useState(NONE)
  useEffect(() => {
    let since: string | undefined
    setChanges(NONE)
    return follow(graph, RECORDING_CHANGES, () => ({ projectId, since }), {
      onData: ({ sessionRecordingChanges: { cursor, sessionId, kind } }) => {
        since = cursor
        setChanges((before) => new Map(before).set(sessionId, kind))
      },
      // Without the push the list says what was true when it was asked for.
      onFailure: () => undefined,
    })
  }, [graph, projectId])
  return changes
}
