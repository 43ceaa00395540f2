import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Database } from "../../platform/postgres/database.types.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { Project, ProjectKey, ProjectRepository } from "./projects.types.js"

const COLUMNS = `
  p.id, p.uuid, p.organization_id, p.name, p.timezone, p.week_start_day, p.settings, p.created_at,
  (SELECT k.token FROM project_key k WHERE k.project_id = p.id AND k.revoked_at IS NULL
   ORDER BY k.created_at, k.id LIMIT 1) AS api_token`

const FIND_BY_KEY = `
  SELECT ${COLUMNS} FROM project p JOIN project_key used ON used.project_id = p.id
  WHERE used.token = $1 AND used.revoked_at IS NULL`

const FIND_BY_ID = `SELECT ${COLUMNS} FROM project p WHERE p.id = $1`

const FIRST_OF = "SELECT id FROM project WHERE organization_id = ANY($1::uuid[]) ORDER BY id LIMIT 1"

const IN_FILTER = "p.organization_id = ANY($1::uuid[]) AND ($2::int[] IS NULL OR p.id = ANY($2))"
const LIST = `SELECT ${COLUMNS} FROM project p WHERE ${IN_FILTER} ORDER BY p.created_at, p.id LIMIT $3 OFFSET $4`
const COUNT = `SELECT count(*)::int AS total FROM project p WHERE ${IN_FILTER}`

const KEYS_OF = `
  SELECT id, project_id, token, created_at FROM project_key
  WHERE project_id = ANY($1::int[]) AND revoked_at IS NULL ORDER BY created_at, id`

/** Ingestion keeps the names of events per project; one name is one event. */
const WITH_EVENTS = `
  SELECT wanted.id FROM unnest($1::int[]) AS wanted (id)
  WHERE EXISTS (SELECT FROM event_definition d WHERE d.project_id = wanted.id)`

interface ProjectRow {
  id: ProjectId
  uuid: string
  organization_id: OrganizationId
  name: string
  timezone: string
  week_start_day: number
  settings: JsonObject
  created_at: Date
  api_token: string | null
}

interface KeyRow {
  id: string
  project_id: ProjectId
  token: string
  created_at: Date
}

type Reads = Pick<ProjectRepository, "findByKey" | "findById" | "firstOf" | "list" | "keysOf" | "withEvents">

/** Reads of projects on the plain pool; those by key and by id are on the path of capture and of every request. */
export function createProjectReads({ pool }: Pick<Database, "pool">): Reads {
  const findOne = (name: string, text: string, value: unknown): Promise<Project | null> =>
    whenReachable(async () => {
      const { rows } = await pool.query<ProjectRow>({ name, text, values: [value] })
      return rows[0] === undefined ? null : toProject(rows[0])
    })
  return {
    findByKey: (token) => findOne("projects.findByKey", FIND_BY_KEY, token),
    findById: (id) => findOne("projects.findById", FIND_BY_ID, id),
    firstOf: (organizationIds) =>
      whenReachable(async () => {
        const { rows } = await pool.query<{ id: ProjectId }>(FIRST_OF, [organizationIds])
        return rows[0]?.id ?? null
      }),
    list: ({ organizationIds, projectIds }, { limit, offset }) =>
      whenReachable(async () => {
        const filter = [organizationIds, projectIds]
        const { rows } = await pool.query<ProjectRow>(LIST, [...filter, limit, offset])
        const counted = await pool.query<{ total: number }>(COUNT, filter)
        return { items: rows.map(toProject), totalCount: counted.rows[0]?.total ?? 0 }
      }),
    keysOf: (ids) =>
      whenReachable(async () => {
        const { rows } = await pool.query<KeyRow>(KEYS_OF, [ids])
        const byProject = Map.groupBy(rows, (row) => row.project_id)
        return new Map([...byProject].map(([id, keys]) => [id, keys.map(toKey)]))
      }),
    withEvents: (ids) =>
      whenReachable(async () => {
        const { rows } = await pool.query<{ id: ProjectId }>(WITH_EVENTS, [ids])
        return new Set(rows.map(({ id }) => id))
      }),
  }
}

function toProject(row: ProjectRow): Project {
  const { id, uuid, name, timezone, settings } = row
  return {
    ...{ id, uuid, name, timezone, settings },
    organizationId: row.organization_id,
    weekStartDay: row.week_start_day,
    apiToken: row.api_token,
    createdAt: row.created_at,
  }
}

const toKey = (row: KeyRow): ProjectKey => ({ id: row.id, token: row.token, createdAt: row.created_at })
