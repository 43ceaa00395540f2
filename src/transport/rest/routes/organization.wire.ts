import { BOOLEAN, INTEGER, objectOf, TEXT, TIME } from "../../../kernel/json-schema.js"

/** An organization as the operations answer it. */
export interface OrganizationData {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly role: string
  readonly membersCanUsePersonalApiKeys: boolean
}

/** GraphQL fields of `OrganizationData`. */
export const ORGANIZATION_FIELDS = "id name createdAt role membersCanUsePersonalApiKeys"

/** Numbers by which clients know roles. */
const MEMBERSHIP_LEVELS: Readonly<Record<string, number>> = { member: 1, admin: 8, owner: 15 }

/** An organization as its members see it. */
export const toWireOrganization = ({ id, name, createdAt, role, ...policy }: OrganizationData) => ({
  id,
  name,
  created_at: createdAt,
  role,
  membership_level: MEMBERSHIP_LEVELS[role] ?? null,
  members_can_use_personal_api_keys: policy.membersCanUsePersonalApiKeys,
})

/** JSON Schema of an organization. */
export const ORGANIZATION = objectOf({
  id: { type: "string", format: "uuid" },
  name: TEXT,
  created_at: TIME,
  role: TEXT,
  membership_level: INTEGER,
  members_can_use_personal_api_keys: BOOLEAN,
})
