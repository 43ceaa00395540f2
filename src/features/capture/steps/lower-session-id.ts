import { toComparedSessionId } from "../../../kernel/ids.js"
import type { Step } from "./event-draft.js"

/** The session id of an event is compared as text with that of the recording. */
export const lowerSessionId: Step = (draft) => {
  const sessionId = draft.properties.$session_id
  if (typeof sessionId !== "string") return null
  const compared = toComparedSessionId(sessionId)
  if (compared !== sessionId) draft.properties = { ...draft.properties, $session_id: compared }
  return null
}
