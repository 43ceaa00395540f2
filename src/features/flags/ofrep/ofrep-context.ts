import { isJsonObject, type Json, type JsonObject } from "../../../kernel/json.js"

/** Names of the evaluation context that are not properties of the person. */
const RESERVED = new Set(["targetingKey", "groups", "groupProperties", "group_properties"])

/** Why a request cannot be evaluated, in the words of OpenFeature. */
export interface OfrepFault {
  readonly errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT"
  readonly errorDetails: string
}

/**
 * Reads an OpenFeature evaluation context into the body of a decision: `targetingKey` is the distinct id, `groups` names
 * groups by type, `groupProperties` says what is known of them, everything else is a property of the person.
 */
export function readOfrepContext(
  body: Json | undefined,
): { readonly fields: JsonObject } | { readonly fault: OfrepFault } {
  if (!isJsonObject(body))
    return { fault: { errorCode: "PARSE_ERROR", errorDetails: "The body must be a JSON object with a context." } }
  const { context } = body
  if (!isJsonObject(context))
    return { fault: { errorCode: "INVALID_CONTEXT", errorDetails: "context must be an object." } }
  const { targetingKey, groups } = context
  if (typeof targetingKey !== "string" || targetingKey === "")
    return { fault: { errorCode: "TARGETING_KEY_MISSING", errorDetails: "context.targetingKey must be text." } }
  if (groups != null && !isJsonObject(groups))
    return { fault: { errorCode: "INVALID_CONTEXT", errorDetails: "context.groups must be an object." } }
  return {
    fields: {
      distinct_id: targetingKey,
      groups: groups ?? null,
      group_properties: context.groupProperties ?? context.group_properties ?? null,
      person_properties: Object.fromEntries(Object.entries(context).filter(([name]) => !RESERVED.has(name))),
    },
  }
}
