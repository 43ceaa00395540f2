import type { Step } from "./event-draft.js"

/**
 * Two names never become events: performance snapshots of old posthog-js versions, and warnings that a client asks us to
 * show (the service hands their text on); both as in `capture.md` section 6.
 */
export const dropByName: Step = ({ event }) => {
  if (event === "$performance_event") return "performance_event"
  if (event === "$$client_ingestion_warning") return "client_ingestion_warning"
  return null
}
