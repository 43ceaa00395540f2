import { INTEGER, NULLABLE_TEXT, TEXT, UUID } from "../../../kernel/json-schema.js"
import { defineResource } from "./resource.js"

/** A user as colleagues see them. */
export const USER = defineResource(["User", "BasicUser"], {
  id: { schema: INTEGER, show: Number },
  uuid: { schema: UUID },
  distinct_id: { schema: TEXT },
  first_name: { schema: TEXT },
  last_name: { schema: TEXT },
  email: { schema: { type: "string", format: "email" } },
  is_email_verified: { schema: { type: ["boolean", "null"] } },
  hedgehog_config: { schema: { type: ["object", "null"] } },
  role_at_organization: { schema: NULLABLE_TEXT },
})
