import type { Pool } from "pg"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { CredentialStore, KeyGrant, Member, OrganizationRole } from "../access.types.js"

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
  SELECT u.is_active, u.current_project_id, m.organization_id, m.role, o.name,
    m.role = 'member' AND NOT o.members_can_use_personal_api_keys AS is_closed_to_keys
  FROM app_user u LEFT JOIN organization_membership m ON m.user_id = u.id LEFT JOIN organization o ON o.id = m.organization_id
  WHERE u.id = $1 ORDER BY m.created_at, m.organization_id`

const TOUCH_KEY = `
  UPDATE personal_key SET last_used_at = to_timestamp($2 / 1000.0)
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= to_timestamp($3 / 1000.0))`

interface MemberRow {
  is_active: boolean
  current_project_id: ProjectId | null
  organization_id: OrganizationId | null
  role: OrganizationRole | null
  name: string | null
  is_closed_to_keys: boolean | null
}

/** Reads on every request's path, as prepared statements on the plain pool. */
export function createCredentialStore(pool: Pool): CredentialStore {
  const read = <Row extends object>(name: string, text: string, value: unknown): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>({ name: `access.${name}`, text, values: [value] })).rows)
  return {
    findKey: async (hash) => (await read<KeyGrant>("findKey", FIND_KEY, hash))[0] ?? null,
    findProjectSecret: async (hash) =>
      (await read<{ projectId: ProjectId }>("findProjectSecret", FIND_PROJECT_SECRET, hash))[0]?.projectId ?? null,
    findMember: async (userId) => toMember(userId, await read<MemberRow>("findMember", FIND_MEMBER, userId)),
    touchKey: async (keyId, usedAtMs, notAfterMs) => {
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
  for (const { organization_id, role, name, is_closed_to_keys } of rows) {
    if (organization_id === null || role === null || name === null) continue
    roles.set(organization_id, role)
    if (is_closed_to_keys === true) closedToKeys.set(organization_id, name)
  }
  return { userId, isActive: first.is_active, currentProjectId: first.current_project_id, roles, closedToKeys }
}
