import type { Pool } from "pg"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { KeyGrant, Member, OrganizationRole } from "../access.types.js"

const FIND_KEY = `
  SELECT k.id AS "keyId", k.user_id AS "userId", k.scopes, k.project_ids AS "projectIds",
    k.organization_ids AS "organizationIds", s.hash,
    (extract(epoch FROM s.expires_at) * 1000)::float8 AS "expiresAtMs",
    (extract(epoch FROM k.last_used_at) * 1000)::float8 AS "lastUsedAtMs"
  FROM personal_key_secret s JOIN personal_key k ON k.id = s.key_id
  WHERE s.hash = $1 AND k.revoked_at IS NULL`

const FIND_PROJECT_SECRET =
  'SELECT project_id AS "projectId" FROM project_secret WHERE hash = $1 AND revoked_at IS NULL'

const FIND_MEMBER = `
  SELECT u.is_active AS "isActive", u.current_project_id AS "currentProjectId", m.organization_id AS "organizationId", m.role,
    o.name, m.role IN ('member', 'viewer') AND NOT o.members_can_use_personal_api_keys AS "isClosedToKeys"
  FROM app_user u LEFT JOIN organization_membership m ON m.user_id = u.id LEFT JOIN organization o ON o.id = m.organization_id
  WHERE u.id = $1 ORDER BY m.created_at, m.organization_id`

const TOUCH_KEY = `
  UPDATE personal_key SET last_used_at = to_timestamp($2 / 1000.0)
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= to_timestamp($3 / 1000.0))`

interface MemberRow extends Pick<Member, "isActive" | "currentProjectId"> {
  readonly organizationId: OrganizationId | null
  readonly role: OrganizationRole | null
  readonly name: string | null
  readonly isClosedToKeys: boolean | null
}

export type CredentialStore = ReturnType<typeof createCredentialStore>

/** Reads on every request's path, as prepared statements on the plain pool. */
export function createCredentialStore(pool: Pool) {
  const read = <Row extends object>(name: string, text: string, value: unknown): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>({ name: `access.${name}`, text, values: [value] })).rows)
  return {
    /** The live key (not revoked) with this secret hash, or null. */
    findKey: async (hash: string) => (await read<KeyGrant>("findKey", FIND_KEY, hash))[0] ?? null,
    /** The project of a live secret key (not revoked) with this hash, or null. */
    findProjectSecret: async (hash: string) =>
      (await read<{ projectId: ProjectId }>("findProjectSecret", FIND_PROJECT_SECRET, hash))[0]?.projectId ?? null,
    findMember: async (userId: UserId) => toMember(userId, await read<MemberRow>("findMember", FIND_MEMBER, userId)),
    /** Sets `last_used_at` unless somebody else did so since `notAfterMs`. */
    touchKey: async (keyId: string, usedAtMs: number, notAfterMs: number): Promise<void> => {
      await pool.query(TOUCH_KEY, [keyId, usedAtMs, notAfterMs])
    },
  }
}

/** One row for each membership; a user without any has one row of nulls, an unknown user none. */
function toMember(userId: UserId, rows: readonly MemberRow[]): Member | null {
  const [first] = rows
  if (first === undefined) return null
  const roles = new Map<OrganizationId, OrganizationRole>()
  const closedToKeys = new Map<OrganizationId, string>()
  for (const { organizationId, role, name, isClosedToKeys } of rows) {
    if (organizationId === null || role === null || name === null) continue
    roles.set(organizationId, role)
    if (isClosedToKeys === true) closedToKeys.set(organizationId, name)
  }
  return { userId, isActive: first.isActive, currentProjectId: first.currentProjectId, roles, closedToKeys }
}
