import { BOOLEAN, INTEGER, TEXT, TIME, UUID } from "../../../kernel/json-schema.js"
import { PROJECT } from "./project.js"
import { defineResource, nestedList, type ResourceField } from "./resource.js"

/** Numbers by which clients know roles. */
const MEMBERSHIP_LEVELS: Readonly<Record<string, number>> = { MEMBER: 1, ADMIN: 8, OWNER: 15 }

const FIELDS: Readonly<Record<string, ResourceField>> = {
  id: { schema: UUID },
  name: { schema: TEXT },
  created_at: { schema: TIME },
  role: { schema: TEXT, show: (role) => String(role).toLowerCase() },
  membership_level: { schema: INTEGER, from: "role", show: (role) => MEMBERSHIP_LEVELS[String(role)] ?? null },
  members_can_use_personal_api_keys: { schema: BOOLEAN },
}

/** An organization as its members see it. */
export const ORGANIZATION = defineResource(["Organization", "Organization"], FIELDS)

/** An organization with its projects, which clients also call teams. */
export const WHOLE_ORGANIZATION = defineResource(["OrganizationWithProjects", "Organization"], {
  ...FIELDS,
  teams: { ...nestedList(PROJECT), from: "projects" },
  projects: nestedList(PROJECT),
})
