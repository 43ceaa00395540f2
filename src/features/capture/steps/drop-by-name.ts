import { SNAPSHOT_EVENT_NAME } from "../snapshot-event-name.js"
import type { Step } from "./event-draft.js"

/**
 * Three names never become events: performance snapshots of old posthog-js versions, and warnings that a client asks us
 * to show (the service hands their text on), both as in `docs/contract/capture.md#special-events`, and the name under
 * which recordings are logged.
 */
export const dropByName: Step = ({ event }) => {
  if (event === "$performance_event") return "performance_event"
  if (event === "$$client_ingestion_warning") return "client_ingestion_warning"
  if (event === SNAPSHOT_EVENT_NAME) return "reserved_event_name"
  return null
}
