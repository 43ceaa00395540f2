import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { isGroupIdentify, needsPersonProfile } from "./event-names.js"
import type { PersonEvent, ProcessingWarning } from "./process.types.js"

/** Whether an event has a person profile, and a warning when it asked in the wrong form. */
export interface ProfileMode {
  readonly mode: "profile" | "no_profile" | "drop"
  readonly warnings: readonly ProcessingWarning[]
}

const NO_WARNINGS: readonly ProcessingWarning[] = []

const WITHOUT: ProfileMode = { mode: "no_profile", warnings: NO_WARNINGS }

/**
 * What `$process_person_profile` asks for: false turns the profile off; anything but a boolean counts as absent, with a warning.
 * Visitors without cookies who could not be told apart share one id and have no profile, whatever their events say: it would be
 * one of all of them.
 */
export function readProfileMode(event: PersonEvent): ProfileMode {
  if (event.distinctId === COOKIELESS_DISTINCT_ID && !isGroupIdentify(event.event)) return WITHOUT
  const flag = event.properties.$process_person_profile
  if (flag === undefined || flag === true) return { mode: "profile", warnings: NO_WARNINGS }
  const details: JsonObject = { eventUuid: event.uuid, event: event.event, distinctId: event.distinctId }
  if (flag !== false) {
    const warning: ProcessingWarning = {
      type: "invalid_process_person_profile",
      details: { ...details, $process_person_profile: flag },
    }
    return { mode: "profile", warnings: [warning] }
  }
  if (!needsPersonProfile(event.event)) return WITHOUT
  return {
    mode: "drop",
    warnings: [{ type: "invalid_event_when_process_person_profile_is_false", details }],
  }
}
