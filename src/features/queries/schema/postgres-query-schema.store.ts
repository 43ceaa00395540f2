import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import type { PropertyType, QuerySchema, QuerySchemaReader } from "./query-schema.types.js"

/** A new property has its type in queries after this long at the latest. */
const REMEMBERED_MS = 3_000
const MAX_REMEMBERED_PROJECTS = 1_000

interface PropertyRow {
  kind: "event" | "person" | "group"
  group_type_index: number
  name: string
  property_type: PropertyType
}

interface CohortRow {
  id: number
  name: string
  is_static: boolean
  filters: Json
}

interface Remembered {
  readonly version: string | null
  readonly readAtMs: number
  readonly schema: Promise<QuerySchema>
}

/**
 * Reads definitions, cohorts and settings from PostgreSQL; remembered for a moment, one read at a time per project. Whether
 * cohorts have changed is asked each time they are needed, in any process: one that was just made can be used, one just
 * changed means it.
 */
export function createPostgresQuerySchemaReader(database: Database, clock: Clock): QuerySchemaReader {
  const remembered = new LRUCache<ProjectId, Remembered>({ max: MAX_REMEMBERED_PROJECTS })
  const recent = (projectId: ProjectId): Remembered | null => {
    const known = remembered.get(projectId)
    return known !== undefined && isRecent(clock.now(), known.readAtMs, REMEMBERED_MS) ? known : null
  }
  return {
    async read(projectId) {
      const version = await readVersion(database, projectId)
      const known = recent(projectId)
      if (known?.version === version) return known.schema
      const schema = readSchema(database, projectId)
      remembered.set(projectId, { version, readAtMs: clock.now(), schema })
      schema.catch(() => remembered.delete(projectId))
      return schema
    },

    remembered(projectId) {
      const known = recent(projectId)
      if (known === null) return null
      const { schema, version } = known
      return { schema, isCurrent: async () => (await readVersion(database, projectId)) === version }
    },
  }
}

/** Raised by trigger with every change of a cohort or a group type; null before the first. */
async function readVersion({ pool }: Database, projectId: ProjectId): Promise<string | null> {
  const { rows } = await pool.query<{ version: string }>({
    name: "queries.rulesVersion",
    text: "SELECT version::text FROM flag_rule_version WHERE project_id = $1",
    values: [projectId],
  })
  return rows[0]?.version ?? null
}

async function readSchema({ pool }: Database, projectId: ProjectId): Promise<QuerySchema> {
  const [properties, types, cohorts, projects] = await Promise.all([
    pool.query<PropertyRow>(
      "SELECT kind, group_type_index, name, property_type FROM property_definition WHERE project_id = $1",
      [projectId],
    ),
    pool.query<{ name: string; type_index: number }>("SELECT name, type_index FROM group_type WHERE project_id = $1", [
      projectId,
    ]),
    pool.query<CohortRow>(
      "SELECT id, name, is_static, filters FROM cohort WHERE project_id = $1 AND NOT deleted ORDER BY id DESC",
      [projectId],
    ),
    pool.query<{ filters: Json }>("SELECT settings -> 'test_account_filters' AS filters FROM project WHERE id = $1", [
      projectId,
    ]),
  ])
  const filters = projects.rows[0]?.filters
  const eventProperties = new Map<string, PropertyType>()
  const personProperties = new Map<string, PropertyType>()
  const groupProperties = new Map<number, Map<string, PropertyType>>()
  for (const { kind, group_type_index: index, name, property_type: type } of properties.rows) {
    if (kind === "event") eventProperties.set(name, type)
    else if (kind === "person") personProperties.set(name, type)
    else groupProperties.set(index, (groupProperties.get(index) ?? new Map<string, PropertyType>()).set(name, type))
  }
  return {
    eventProperties,
    personProperties,
    groupProperties,
    groupTypes: new Map(types.rows.map(({ name, type_index: index }) => [name, index])),
    cohorts: new Map(cohorts.rows.map(({ id, name }) => [name, id])),
    cohortsById: new Map(
      cohorts.rows.map(({ id, name, is_static: isStatic, filters }) => [id, { id, name, isStatic, filters }]),
    ),
    testAccountFilters: Array.isArray(filters) ? filters : [],
  }
}
