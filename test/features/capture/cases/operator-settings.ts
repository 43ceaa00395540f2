import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import type { HttpCase } from "./case-files.js"

/** What an operator sets upstream in lists beside the service; here they are settings of the project. */
export function settingsOf({ given = {} }: HttpCase, nowMs: number): JsonObject {
  const { drop_list: dropList, quota, restriction } = given
  const restrictions: Json[] = []
  if (typeof dropList === "string") restrictions.push(...dropList.split(",").map(toDropRestriction))
  if (restriction !== undefined) {
    const { token: _ownProject, ...rest } = restriction as JsonObject
    restrictions.push(rest)
  }
  return {
    ...(restrictions.length > 0 && { capture_restrictions: restrictions }),
    ...(quota !== undefined && { quota_limits: toQuotaLimits(quota as JsonObject, nowMs) }),
  }
}

/** `token` or `token:distinct_id`. */
function toDropRestriction(entry: string): JsonObject {
  const [, distinctId] = entry.trim().split(":")
  return {
    type: "drop_event_from_ingestion",
    pipelines: ["analytics"],
    ...(distinctId !== undefined && { distinct_ids: [distinctId] }),
  }
}

const toQuotaLimits = ({ resource, expires_in_s: expiresInSeconds }: JsonObject, nowMs: number): JsonObject => ({
  [String(resource)]: new Date(nowMs + Number(expiresInSeconds) * 1000).toISOString(),
})
