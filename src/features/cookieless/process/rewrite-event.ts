import { COOKIELESS_DISTINCT_ID } from "../../../kernel/ids.js"
import { isJsonObject, type JsonObject } from "../../../kernel/json.js"
import type { VisitorIdentity } from "../cookieless.types.js"
import { isCookieless } from "./read-visit.js"

/**
 * What would reveal who a visitor was after the salt is gone (`docs/contract/capture.md#visitors-without-cookies`), as
 * an event or a person may have it.
 */
const TRACES = ["$ip", "$raw_user_agent", "$cookieless_extra", "$initial_ip", "$initial_raw_user_agent"] as const

/** The id that an event without cookies is about: its own, unless that is everybody's. */
export const ownId = (distinctId: string, identity: VisitorIdentity): string =>
  distinctId === COOKIELESS_DISTINCT_ID ? identity.distinctId : distinctId

/** Writes who the visitor is into the properties of an event, in place. */
export function writeIdentity(properties: JsonObject, identity: VisitorIdentity): void {
  properties.$cookieless_mode = true
  properties.$device_id = identity.deviceId
  properties.$session_id = identity.sessionId
  for (const name of ["distinct_id", "$anon_distinct_id"] as const)
    if (properties[name] === COOKIELESS_DISTINCT_ID) properties[name] = identity.distinctId
}

/** Removes from the properties of an event, in place, what is only there to tell visitors apart. Leaves other events alone. */
export function removeTraces(properties: JsonObject): void {
  if (!isCookieless(properties)) return
  const { $set: set, $set_once: setOnce } = properties
  for (const trace of TRACES) delete properties[trace]
  if (isJsonObject(set)) properties.$set = withoutTraces(set)
  if (isJsonObject(setOnce)) properties.$set_once = withoutTraces(setOnce)
}

function withoutTraces(given: JsonObject): JsonObject {
  const rest = { ...given }
  for (const trace of TRACES) delete rest[trace]
  return rest
}
