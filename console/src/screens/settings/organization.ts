import type { OrganizationRole, SettingsQuery } from "../../graph/generated/graphql"

/** The organization whose project is shown, with one's own role in it. */
export type Organization = NonNullable<NonNullable<SettingsQuery["project"]>["organization"]>

/** Roles with what they are called, the strongest first. */
const ROLES: readonly { readonly value: OrganizationRole; readonly label: string }[] = [
  { value: "OWNER", label: "Owner" },
  { value: "ADMIN", label: "Admin" },
  { value: "MEMBER", label: "Member" },
  { value: "VIEWER", label: "Viewer" },
]

/** What a role is called. */
export const nameRole = (role: OrganizationRole): string => ROLES.find(({ value }) => value === role)?.label ?? role

/** Roles that somebody with a role may give: owners alone make owners. */
export const listGivenRoles = (own: OrganizationRole) =>
  ROLES.filter(({ value }) => value !== "OWNER" || own === "OWNER")
