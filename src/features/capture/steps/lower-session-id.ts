import { isUuid } from "../../../kernel/ids.js"
import type { Step } from "./event-draft.js"

/** A session id that is a UUID is compared as text with that of the recording, so its letters are made small. */
export const lowerSessionId: Step = (draft) => {
  const sessionId = draft.properties.$session_id
  if (typeof sessionId !== "string" || !isUuid(sessionId)) return null
  const lower = sessionId.toLowerCase()
  if (lower !== sessionId) draft.properties = { ...draft.properties, $session_id: lower }
  return null
}
