import type { JsonObject } from "../../../kernel/json.js"
import { ANY_OBJECT, TEXT, TIME } from "../../../kernel/json-schema.js"
import type { RestRequest } from "../rest-route.types.js"
import { defineResource, nested } from "./resource.js"
import { USER } from "./user.js"

/**
 * An entry of what became of one thing (`docs/contract/management.md#audit-log`). Which
 * thing it is, the path of the request says.
 */
const ACTIVITY_ENTRY = defineResource(["ActivityEntry", "Activity"], {
  activity: { schema: TEXT },
  scope: { schema: TEXT, always: null },
  item_id: { schema: TEXT, always: null },
  detail: { schema: ANY_OBJECT, from: "changes", show: (changes) => ({ changes }) },
  created_at: { schema: TIME },
  user: nested(USER),
})

/**
 * What a list of entries about one thing answers.
 * @param kind what clients call the kind of the thing.
 * @param parameter the one of the path that names the thing.
 */
export const activityAs = (kind: string, parameter: string) => ({
  resource: ACTIVITY_ENTRY,
  show: (entry: JsonObject, { params }: RestRequest): JsonObject => ({
    ...ACTIVITY_ENTRY.show(entry),
    scope: kind,
    item_id: params[parameter] ?? null,
  }),
})
