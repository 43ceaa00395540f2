import { useState } from "react"
import type { UseQueryResponse } from "urql"

/** What was deleted on the page that shows it. */
export interface SoftDelete {
  /** What is deleted; null while the page shows it. */
  readonly deletedId: string | null
  /** The page has deleted it. */
  onDeleted(id: string): void
  /** It was brought back: the page shows it again. */
  onRestored(): void
}

/** Keeps what the page of one record has deleted, so that it can offer the way back. It takes what the page asked. */
export function useSoftDelete([, ask]: UseQueryResponse): SoftDelete {
  const [deletedId, setDeletedId] = useState<string | null>(null)
  const onRestored = (): void => {
    // What is kept may say that there is no such record, and names no type that the change could end.
    ask({ requestPolicy: "network-only" })
    setDeletedId(null)
  }
  return { deletedId, onDeleted: setDeletedId, onRestored }
}
