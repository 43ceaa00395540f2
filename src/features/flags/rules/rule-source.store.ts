import type { GroupType, RuleSource, StoredCohort, StoredFlag } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import type { RuleSourceStore } from "../flags.types.js"

/** One statement, so that version, flags, cohorts and group types come from the same snapshot. */
const LOAD = `
  SELECT project.timezone AS "timeZone",
    coalesce((SELECT version FROM flag_rule_version WHERE project_id = project.id), 0)::float8 AS version,
    (SELECT coalesce(json_agg(json_build_object(
        'id', id, 'key', key, 'name', name, 'version', version, 'active', active,
        'isRemoteConfiguration', is_remote_configuration, 'filters', filters,
        'ensureExperienceContinuity', ensure_experience_continuity, 'bucketingIdentifier', bucketing_identifier,
        'evaluationRuntime', evaluation_runtime, 'evaluationContexts', evaluation_contexts) ORDER BY id), '[]')
      FROM feature_flag
      WHERE project_id = project.id AND NOT deleted AND NOT (is_remote_configuration AND has_encrypted_payloads)) AS flags,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'isStatic', is_static, 'filters', filters) ORDER BY id), '[]')
      FROM cohort WHERE project_id = project.id AND NOT deleted) AS cohorts,
    (SELECT coalesce(json_agg(json_build_object('index', type_index, 'name', name) ORDER BY type_index), '[]')
      FROM group_type WHERE project_id = project.id) AS "groupTypes"
  FROM project WHERE project.id = $1`

const MARK_PUBLISHED = `
  UPDATE flag_rule_version SET published_version = greatest(published_version, $2) WHERE project_id = $1`

interface SourceRow {
  timeZone: string
  version: number
  flags: StoredFlag[]
  cohorts: StoredCohort[]
  groupTypes: GroupType[]
}

/** Most projects that one sweep publishes; the next sweep takes the rest. */
const SWEEP_LIMIT = 500

/** What rules are built from, in PostgreSQL. Rejects with AppError store_unavailable while it is away. */
export function createRuleSource({ pool }: Pick<Database, "pool">): RuleSourceStore {
  const query = <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>({ name: `flags.${name}`, text, values })).rows)
  return {
    load: async (projectId): Promise<RuleSource | null> => {
      const [row] = await query<SourceRow>("load", LOAD, [projectId])
      return row === undefined ? null : { projectId, ...row }
    },
    versions: async (projectIds) => {
      const text = "SELECT project_id, version::float8 FROM flag_rule_version WHERE project_id = ANY ($1::int[])"
      const rows = await query<{ project_id: ProjectId; version: number }>("versions", text, [projectIds])
      return new Map(rows.map(({ project_id, version }) => [project_id, version]))
    },
    unpublished: async () => {
      const text = "SELECT project_id FROM flag_rule_version WHERE version > published_version LIMIT $1"
      const rows = await query<{ project_id: ProjectId }>("unpublished", text, [SWEEP_LIMIT])
      return rows.map(({ project_id }) => project_id)
    },
    markPublished: async (projectId, version) => {
      await query("markPublished", MARK_PUBLISHED, [projectId, version])
    },
  }
}
