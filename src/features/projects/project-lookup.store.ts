import type { Pool } from "pg"
import type { OrganizationId, ProjectId } from "../../kernel/ids.js"
import { whenReachable } from "../../platform/postgres/when-reachable.js"
import type { Project } from "./projects.types.js"

const SELECT = `
  SELECT project.id, project.uuid, project.organization_id AS "organizationId", project.name, project.timezone,
    project.week_start_day AS "weekStartDay", project.settings, project.created_at AS "createdAt",
    (SELECT key.token FROM project_key key WHERE key.project_id = project.id AND key.revoked_at IS NULL
     ORDER BY key.created_at, key.id LIMIT 1) AS "apiToken"
  FROM project`

const FIND_BY_KEYS = `
  SELECT used.token, found.* FROM project_key used JOIN LATERAL (${SELECT} WHERE project.id = used.project_id) found ON true
  WHERE used.token = ANY($1::text[]) AND used.revoked_at IS NULL`

const FIND_BY_ID = `${SELECT} WHERE project.id = $1`

const FIND_FIRST = "SELECT id FROM project WHERE organization_id = ANY($1::uuid[]) ORDER BY id LIMIT 1"

/** Ingestion keeps the names of events per project; one name is one event. */
const WITH_EVENTS = `
  SELECT wanted.id FROM unnest($1::int[]) AS wanted (id)
  WHERE EXISTS (SELECT FROM event_definition d WHERE d.project_id = wanted.id)`

export type ProjectLookupStore = ReturnType<typeof createProjectLookupStore>

/** Reads of projects on the path of capture, decisions and every request, as prepared statements. */
export function createProjectLookupStore(pool: Pool) {
  const read = <Row extends object>(name: string, text: string, value: unknown): Promise<Row[]> =>
    whenReachable(async () => (await pool.query<Row>({ name: `projects.${name}`, text, values: [value] })).rows)
  return {
    /** The projects of those of the keys that are live, by key. */
    findByKeys: async (tokens: readonly string[]): Promise<ReadonlyMap<string, Project>> => {
      const rows = await read<Project & { readonly token: string }>("findByKeys", FIND_BY_KEYS, tokens)
      return new Map(rows.map(({ token, ...project }) => [token, project]))
    },
    findById: async (id: ProjectId) => (await read<Project>("findById", FIND_BY_ID, id))[0] ?? null,
    /** The oldest project of these organizations; null when they have none. */
    findFirst: async (organizationIds: readonly OrganizationId[]) =>
      (await read<{ id: ProjectId }>("findFirst", FIND_FIRST, organizationIds))[0]?.id ?? null,
    /** Those of the projects that have ever stored an event. */
    findWithEvents: async (ids: readonly ProjectId[]): Promise<ReadonlySet<ProjectId>> =>
      new Set((await read<{ id: ProjectId }>("findWithEvents", WITH_EVENTS, ids)).map(({ id }) => id)),
  }
}
