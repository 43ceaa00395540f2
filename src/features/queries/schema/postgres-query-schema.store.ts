import { LRUCache } from "lru-cache"
import type { ActionDefinition, CohortDefinition, PropertyType } from "../../../hogql/index.js"
import { type Clock, isRecent } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { Json } from "../../../kernel/json.js"
import { SPARE_COLUMN_COUNT } from "../../../kernel/property-columns.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import type { QuerySchema, QuerySchemaReader } from "./query-schema.types.js"
import { readRecords } from "./record-tables.store.js"

/** A new property has its type in queries after this long at the latest. */
const CACHED_MS = 3_000
const MAX_CACHED_PROJECTS = 1_000

interface PropertyRow {
  readonly kind: "event" | "person" | "group"
  readonly groupTypeIndex: number
  readonly name: string
  readonly type: PropertyType
}

interface CacheEntry {
  readonly version: string | null
  readonly readAtMs: number
  readonly schema: Promise<QuerySchema>
}

/**
 * Reads definitions, cohorts and settings from PostgreSQL, cached for a few seconds, with one read at a time per project. The
 * version of cohorts and group types is checked with each use, so changes to them count at once in every process.
 * @param hasAllSessions whether those of all events are rolled up; absent where they always are.
 */
export function createPostgresQuerySchemaReader(
  database: Pick<Database, "pool">,
  clock: Clock,
  hasAllSessions: () => Promise<boolean> = async () => true,
): QuerySchemaReader {
  const cache = new LRUCache<ProjectId, CacheEntry>({ max: MAX_CACHED_PROJECTS })
  const findRecent = (projectId: ProjectId): CacheEntry | null => {
    const known = cache.get(projectId)
    return known !== undefined && isRecent(clock.now(), known.readAtMs, CACHED_MS) ? known : null
  }
  return {
    async read(projectId) {
      const version = await readVersion(database, projectId)
      const known = findRecent(projectId)
      if (known?.version === version) return known.schema
      const schema = Promise.all([readSchema(database, projectId), hasAllSessions()]).then(([read, hasAll]) => ({
        ...read,
        hasAllSessions: hasAll,
      }))
      cache.set(projectId, { version, readAtMs: clock.now(), schema })
      schema.catch(() => cache.delete(projectId))
      return schema
    },

    findCached(projectId) {
      const known = findRecent(projectId)
      if (known === null) return null
      const { schema, version } = known
      return { schema, isCurrent: async () => (await readVersion(database, projectId)) === version }
    },

    readRecords: (projectId, table) => readRecords(database, projectId, table),
  }
}

/** The version that a trigger raises with every change of a cohort, action or group type; null before the first. */
async function readVersion({ pool }: Pick<Database, "pool">, projectId: ProjectId): Promise<string | null> {
  const { rows } = await pool.query<{ version: string }>({
    name: "queries.rulesVersion",
    text: "SELECT version::text FROM flag_rule_version WHERE project_id = $1",
    values: [projectId],
  })
  return rows[0]?.version ?? null
}

async function readSchema({ pool }: Pick<Database, "pool">, projectId: ProjectId): Promise<QuerySchema> {
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await pool.query<Row>(text, [projectId])).rows
  const [properties, spares, groupTypes, cohorts, actions, projects] = await Promise.all([
    read<PropertyRow>(
      'SELECT kind, group_type_index AS "groupTypeIndex", name, property_type AS type FROM property_definition WHERE project_id = $1',
    ),
    read<{ name: string; spare: number }>("SELECT name, spare FROM property_spare WHERE project_id = $1"),
    read<{ name: string; index: number }>("SELECT name, type_index AS index FROM group_type WHERE project_id = $1"),
    // Newest first, so that of several with one name the map has the oldest.
    read<CohortDefinition>(
      'SELECT id, name, is_static AS "isStatic", filters FROM cohort WHERE project_id = $1 AND NOT deleted ORDER BY id DESC',
    ),
    read<ActionDefinition>("SELECT id, name, steps FROM action WHERE project_id = $1 AND NOT deleted"),
    read<{ filters: Json }>("SELECT settings -> 'test_account_filters' AS filters FROM project WHERE id = $1"),
  ])
  const filters = projects[0]?.filters
  const listTypes = (kind: PropertyRow["kind"], index?: number) =>
    new Map(
      properties
        .filter((property) => property.kind === kind && (index === undefined || property.groupTypeIndex === index))
        .map(({ name, type }) => [name, type]),
    )
  const indexes = new Set(properties.flatMap(({ kind, groupTypeIndex }) => (kind === "group" ? [groupTypeIndex] : [])))
  return {
    propertyDefinitions: {
      event: listTypes("event"),
      person: listTypes("person"),
      group: new Map([...indexes].map((index) => [index, listTypes("group", index)])),
    },
    // A later program may have more columns than this one knows.
    spares: new Map(spares.flatMap(({ name, spare }) => (spare <= SPARE_COLUMN_COUNT ? [[name, spare]] : []))),
    groupTypes: new Map(groupTypes.map(({ name, index }) => [name, index])),
    cohorts: new Map(cohorts.map(({ id, name }) => [name, id])),
    cohortsById: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
    actions: new Map(actions.map((action) => [action.id, action])),
    testAccountFilters: Array.isArray(filters) ? filters : [],
  }
}
