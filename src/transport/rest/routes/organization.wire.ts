import { INTEGER, objectOf, TEXT, TIME } from "../schemas.js"

export interface OrganizationData {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly role: string
}

export const ORGANIZATION_FIELDS = "id name createdAt role"

/** Numbers by which clients know roles. */
const MEMBERSHIP_LEVELS: Readonly<Record<string, number>> = { member: 1, admin: 8, owner: 15 }

/** An organization as its members see it. */
export const toWireOrganization = ({ id, name, createdAt, role }: OrganizationData) => ({
  id,
  name,
  created_at: createdAt,
  role,
  membership_level: MEMBERSHIP_LEVELS[role] ?? null,
})

export const ORGANIZATION = objectOf({
  id: { type: "string", format: "uuid" },
  name: TEXT,
  created_at: TIME,
  role: TEXT,
  membership_level: INTEGER,
})
