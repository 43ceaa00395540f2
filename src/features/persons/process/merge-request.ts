import type { Json } from "../../../kernel/json.js"
import { cutText } from "../../../kernel/text-length.js"
import { CREATE_ALIAS, IDENTIFY, MERGE_DANGEROUSLY } from "./event-names.js"
import type { PersonEvent } from "./process.types.js"

/** Two distinct ids that an event declares to be the same person. */
export interface MergeRequest {
  /** Merged into the target, whose person survives unless `policy` says otherwise. */
  readonly source: string
  readonly target: string
  readonly policy: MergePolicy
}

/**
 * Which of two different persons may be merged away. `anonymous_source`: only one that is not identified.
 * `identified_survives`: an identified source survives an anonymous target. `always`: whatever they are.
 */
export type MergePolicy = "anonymous_source" | "identified_survives" | "always"

/** As long as a distinct id that capture accepts; a longer one could never equal a stored id. */
const MAX_CODE_POINTS = 200

/**
 * Reads the merge an event asks for; null when it asks for none. `$create_alias` follows the contract's wording
 * (`docs/contract/capture.md#merge-requests`).
 */
export function readMergeRequest(event: Pick<PersonEvent, "event" | "distinctId" | "properties">): MergeRequest | null {
  const { distinctId, properties } = event
  switch (event.event) {
    case IDENTIFY:
      if (properties.$anon_distinct_id === undefined) return null
      return { source: toDistinctId(properties.$anon_distinct_id), target: distinctId, policy: "anonymous_source" }
    case CREATE_ALIAS:
      if (!properties.alias) return null
      return { source: distinctId, target: toDistinctId(properties.alias), policy: "identified_survives" }
    case MERGE_DANGEROUSLY:
      if (!properties.alias) return null
      return { source: toDistinctId(properties.alias), target: distinctId, policy: "always" }
    default:
      return null
  }
}

/**
 * An object or a list is no id, just as capture takes none for one: whoever passes an object by mistake passes the same one
 * for all their users. It becomes a text that nobody may be merged on.
 */
function toDistinctId(value: Json): string {
  return cutText(typeof value === "object" && value !== null ? "[object Object]" : String(value), MAX_CODE_POINTS)
}
