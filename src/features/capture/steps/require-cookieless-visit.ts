import { readVisit, STATELESS_MARK } from "../../cookieless/index.js"
import type { Step } from "./event-draft.js"

/**
 * An event without cookies says what its visitor is recognized by, and is none that would outlive the day's id
 * (`docs/contract/capture.md#visitors-without-cookies`). Ingestion finds out who the visitor is; here it is only written
 * down that the project keeps nothing of visitors, as settings may change until then.
 */
export const requireCookielessVisit: Step = (draft, { cookieless, receivedAtMs }) => {
  if (draft.properties.$cookieless_mode !== true || cookieless === undefined) return null
  const { mode, clientIp } = cookieless
  if (mode === "off") return "cookieless_mode_off"
  if (mode === "stateless") draft.properties = { ...draft.properties, $cookieless_mode: STATELESS_MARK }
  const visit = readVisit(draft, { clientIp, receivedAtMs })
  return typeof visit === "string" ? visit : null
}
