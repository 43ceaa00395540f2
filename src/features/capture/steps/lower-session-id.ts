import { isUuid } from "../../../kernel/ids.js"
import type { Step } from "./event-draft.js"

/** A session id as it is compared with others: small letters where it is a UUID. */
export const toComparedSessionId = (sessionId: string): string =>
  isUuid(sessionId) ? sessionId.toLowerCase() : sessionId

/** A session id that is a UUID is compared as text with that of the recording, so its letters are made small. */
export const lowerSessionId: Step = (draft) => {
  const sessionId = draft.properties.$session_id
  if (typeof sessionId !== "string") return null
  const lower = sessionId.toLowerCase()
  if (lower !== sessionId && isUuid(sessionId)) draft.properties = { ...draft.properties, $session_id: lower }
  return null
}
