import { ANY_OBJECT, BOOLEAN, INTEGER, TEXT, TIME } from "../../../kernel/json-schema.js"
import { anyJson, flag, nullable, text } from "../body-fields.js"
import { defineResource, nested } from "./resource.js"
import { USER } from "./user.js"

/** An action. Which events match it is worked out when it is asked for, never beforehand. */
export const ACTION = defineResource(["Action", "Action"], {
  id: { schema: INTEGER },
  name: { schema: TEXT, read: text },
  description: { schema: TEXT, read: nullable(text) },
  steps: { schema: { type: "array", items: ANY_OBJECT }, read: nullable(anyJson) },
  is_action: { schema: null, always: true },
  is_calculating: { schema: BOOLEAN, always: false },
  deleted: { schema: BOOLEAN, read: flag },
  created_at: { schema: TIME },
  updated_at: { schema: TIME },
  created_by: nested(USER),
})
