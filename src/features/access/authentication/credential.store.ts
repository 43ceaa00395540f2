import type { Pool } from "pg"
import type { OrganizationId, ProjectId, UserId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { CredentialStore, OrganizationRole } from "../access.types.js"

const FIND_KEY = `
  SELECT k.id, k.user_id, k.scopes, k.project_ids, k.organization_ids, k.last_used_at, s.hash, s.expires_at
  FROM personal_key_secret s JOIN personal_key k ON k.id = s.key_id
  WHERE s.hash = $1 AND k.revoked_at IS NULL`

const FIND_PROJECT_SECRET = "SELECT project_id FROM project_secret WHERE hash = $1 AND revoked_at IS NULL"

const FIND_MEMBER = `
  SELECT u.is_active, u.current_project_id, m.organization_id, m.role, o.name,
    m.role = 'member' AND NOT o.members_can_use_personal_api_keys AS is_closed_to_keys
  FROM app_user u LEFT JOIN organization_membership m ON m.user_id = u.id LEFT JOIN organization o ON o.id = m.organization_id
  WHERE u.id = $1 ORDER BY m.created_at, m.organization_id`

const TOUCH_KEY = `
  UPDATE personal_key SET last_used_at = to_timestamp($2 / 1000.0)
  WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= to_timestamp($3 / 1000.0))`

interface KeyRow {
  id: string
  user_id: UserId
  scopes: string[]
  project_ids: ProjectId[] | null
  organization_ids: OrganizationId[] | null
  last_used_at: Date | null
  hash: string
  expires_at: Date | null
}

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
  return {
    findKey: (hash) =>
      whenReachable(async () => {
        const { rows } = await pool.query<KeyRow>({ name: "access.findKey", text: FIND_KEY, values: [hash] })
        return rows[0] === undefined ? null : toGrant(rows[0])
      }),
    findProjectSecret: (hash) =>
      whenReachable(async () => {
        const statement = { name: "access.findProjectSecret", text: FIND_PROJECT_SECRET, values: [hash] }
        return (await pool.query<{ project_id: ProjectId }>(statement)).rows[0]?.project_id ?? null
      }),
    findMember: (userId) =>
      whenReachable(async () => {
        const { rows } = await pool.query<MemberRow>({ name: "access.findMember", text: FIND_MEMBER, values: [userId] })
        return rows[0] === undefined ? null : toMember(userId, rows[0], rows)
      }),
    touchKey: async (keyId, usedAtMs, notAfterMs) => {
      await pool.query(TOUCH_KEY, [keyId, usedAtMs, notAfterMs])
    },
  }
}

function toGrant(row: KeyRow) {
  return {
    keyId: row.id,
    userId: row.user_id,
    scopes: row.scopes,
    projectIds: row.project_ids,
    organizationIds: row.organization_ids,
    hash: row.hash,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
  }
}

function toMember(userId: UserId, first: MemberRow, rows: readonly MemberRow[]) {
  const roles = new Map<OrganizationId, OrganizationRole>()
  const closedToKeys = new Map<OrganizationId, string>()
  for (const { organization_id, role, name, is_closed_to_keys } of rows) {
    if (organization_id === null || role === null || name === null) continue
    roles.set(organization_id, role)
    if (is_closed_to_keys === true) closedToKeys.set(organization_id, name)
  }
  return { userId, isActive: first.is_active, currentProjectId: first.current_project_id, roles, closedToKeys }
}
