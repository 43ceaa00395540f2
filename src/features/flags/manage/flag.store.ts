import type { Pool } from "pg"
import type { ProjectId } from "../../../kernel/ids.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { Flag, FlagStore } from "../flags.types.js"

const SELECT = `
  SELECT id, project_id AS "projectId", key, name, filters, active, deleted, version,
    ensure_experience_continuity AS "ensureExperienceContinuity", bucketing_identifier AS "bucketingIdentifier",
    evaluation_runtime AS "evaluationRuntime", evaluation_contexts AS "evaluationContexts", tags,
    is_remote_configuration AS "isRemoteConfiguration", has_encrypted_payloads AS "hasEncryptedPayloads",
    created_at AS "createdAt", created_by_id AS "createdById", updated_at AS "updatedAt",
    last_modified_by_id AS "lastModifiedById"
  FROM feature_flag WHERE project_id = $1 AND NOT deleted`

/**
 * Flags as plain rows of PostgreSQL: making entities of a thousand flags, to look at one, took most of the time of a change.
 * Methods throw AppError store_unavailable while it is away.
 */
export function createFlagStore(pool: Pool): FlagStore {
  const read = (name: string, text: string, values: unknown[]): Promise<Flag[]> =>
    whenReachable(async () => (await pool.query<Flag>({ name: `flags.${name}`, text, values })).rows)
  return {
    listAll: (projectId: ProjectId) => read("all", `${SELECT} ORDER BY id`, [projectId]),

    findNamed: async (projectId, keyOrId) => {
      const number = /^\d{1,9}$/.test(keyOrId) ? Number(keyOrId) : null
      const found = await read("named", `${SELECT} AND (key = $2 OR id = $3)`, [projectId, keyOrId, number])
      return found.find(({ key }) => key === keyOrId) ?? found[0] ?? null
    },
  }
}
