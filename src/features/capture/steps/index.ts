import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { AcceptedEvent } from "../capture.types.js"
import type { DropReason, WarningReason } from "../reasons.types.js"
import { assignUuid } from "./assign-uuid.js"
import { checkCookielessMode } from "./check-cookieless-mode.js"
import { discardAddress } from "./discard-address.js"
import { dropByName } from "./drop-by-name.js"
import { createDraft, type Step, type StepContext } from "./event-draft.js"
import { hideInternalAddress } from "./hide-internal-address.js"
import { limitSize } from "./limit-size.js"
import { lowerSessionId } from "./lower-session-id.js"
import { mergeTopLevel } from "./merge-top-level.js"
import { readProperties } from "./read-properties.js"
import { replaceUnstorableText } from "./replace-unstorable-text.js"
import { requireCookielessVisit } from "./require-cookieless-visit.js"
import { requireDistinctId } from "./require-distinct-id.js"
import { requireName } from "./require-name.js"
import { resolveTimestamp } from "./resolve-timestamp.js"

export type { StepContext } from "./event-draft.js"

/** The policy of capture: every event of a request passes these in order, and the first that gives a reason drops it. */
export const CAPTURE_STEPS: readonly Step[] = [
  requireName,
  dropByName,
  readProperties,
  requireDistinctId,
  assignUuid,
  checkCookielessMode,
  mergeTopLevel,
  hideInternalAddress,
  discardAddress,
  lowerSessionId,
  resolveTimestamp,
  requireCookielessVisit,
  replaceUnstorableText,
  limitSize,
]

export type StepsResult =
  | { readonly kept: AcceptedEvent; readonly warnings: readonly WarningReason[] }
  | { readonly kept: null; readonly reason: DropReason }

/** Takes one item of a request, whatever it is, through `CAPTURE_STEPS`. Pure: what varies is in `context`. */
export function runSteps(item: Json, context: StepContext): StepsResult {
  if (!isJsonObject(item)) return { kept: null, reason: "not_an_object" }
  const draft = createDraft(item)
  for (const step of CAPTURE_STEPS) {
    const reason = step(draft, context)
    if (reason !== null) return { kept: null, reason }
  }
  const { uuid, event, distinctId, properties, timestamp, clientTimestamp, place, warnings } = draft
  return { kept: { uuid, event, distinctId, properties, timestamp, clientTimestamp, place }, warnings }
}
