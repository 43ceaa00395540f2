import { useEffect, useState } from "react"
import { type Client, useClient } from "urql"
import { useProject } from "../../project/project"
import { type RecordedItem, readItem } from "./recorded-item"
import { SNAPSHOTS } from "./recording.queries"

/** Stretches that the server gives at once. */
const STRETCHES_AT_ONCE = 20

/** What has come of a recording so far. */
export interface Items {
  readonly items: readonly RecordedItem[]
  /** Whether nothing is to come any more. */
  readonly isComplete: boolean
  readonly failure: Error | null
}

const NOTHING: Items = { items: [], isComplete: false, failure: null }

/**
 * Loads a recording in the order of time, some stretches after others, so that the beginning can be played at once.
 *
 * @param blobKeys of its stretches; the same list while they are the same
 */
export function useItems(sessionId: string, blobKeys: readonly string[]): Items {
  const client = useClient()
  const { id: projectId } = useProject()
  const [loaded, setLoaded] = useState(NOTHING)
  useEffect(() => {
    let isWanted = true
    const load = async () => {
      let items: readonly RecordedItem[] = []
      for (let first = 0; first < blobKeys.length && isWanted; first += STRETCHES_AT_ONCE) {
        const keys = blobKeys.slice(first, first + STRETCHES_AT_ONCE)
        items = [...items, ...(await loadStretches(client, { projectId, sessionId, keys }))]
        if (isWanted) setLoaded({ items, isComplete: false, failure: null })
      }
      if (isWanted) setLoaded({ items, isComplete: true, failure: null })
    }
    setLoaded(NOTHING)
    load().catch((failure: Error) => isWanted && setLoaded((before) => ({ ...before, failure })))
    return () => {
      isWanted = false
    }
  }, [client, projectId, sessionId, blobKeys])
  return loaded
}

interface Stretches {
  readonly projectId: string
  readonly sessionId: string
  readonly keys: readonly string[]
}

/** @throws CombinedError when the server does not give them */
async function loadStretches(client: Client, { projectId, sessionId, keys }: Stretches): Promise<RecordedItem[]> {
  const variables = { projectId, sessionId, start: keys[0] ?? "", end: keys.at(-1) ?? "" }
  // The last stretch of a session that goes on grows.
  const { data, error } = await client.query(SNAPSHOTS, variables, { requestPolicy: "network-only" })
  if (error !== undefined) throw error
  const lines = data?.sessionRecordingSnapshots ?? []
  const items = await Promise.all(lines.flatMap((text) => text.split("\n").filter(Boolean)).map(readItem))
  return items.filter((item) => item !== null)
}
