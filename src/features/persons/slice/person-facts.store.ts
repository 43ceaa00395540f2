import type { PoolClient, QueryResultRow } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { personIdOf } from "../person-uuid.js"
import type {
  DeletedIdRecord,
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PersonRecord,
  ProjectFacts,
  ProjectQuestion,
} from "../persons.types.js"

const SELECT_DISTINCT_ID = `SELECT project_id AS "projectId", distinct_id AS "distinctId", person_id AS "personId",
  version::float8 FROM person_distinct_id`
const SELECT_PERSON = `SELECT project_id AS "projectId", id, properties, is_identified AS "isIdentified",
  is_deleted AS "isDeleted", version::float8, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs" FROM person`
/** Deletions that may have events in the log still; there is hardly ever one. */
const SELECT_DELETED_IDS = `SELECT project_id AS "projectId", freed ->> 'distinctId' AS "distinctId",
    (extract(epoch FROM requested_at) * 1000)::float8 AS "deletedAtMs"
  FROM person_deletion, jsonb_array_elements(distinct_ids) AS freed
  WHERE delete_events AND project_id = ANY ($1::int[])`

/** Reads what the events of a slice need to know, each kind of fact for all projects at once. */
export async function loadPersonFacts(
  client: PoolClient,
  questions: readonly ProjectQuestion[],
): Promise<ProjectFacts[]> {
  const asked = pairs(questions, ({ distinctIds }) => distinctIds)
  const owners = await loadOwners(client, questions, asked)
  const persons = await select<PersonRecord>(
    client,
    `${SELECT_PERSON} JOIN unnest($1::int[], $2::uuid[]) AS asked (project_id, id) USING (project_id, id)`,
    pairs(questions, (question) => personIds(question, owners.get(question.projectId) ?? [])),
  )
  const personless = await select<{ distinctId: string }>(
    client,
    `SELECT project_id AS "projectId", distinct_id AS "distinctId" FROM personless_distinct_id
       JOIN unnest($1::int[], $2::text[]) AS asked (project_id, distinct_id) USING (project_id, distinct_id)`,
    asked,
  )
  const groupTypes = await select<GroupTypeRecord>(
    client,
    `SELECT project_id AS "projectId", name, type_index AS "typeIndex" FROM group_type
       WHERE project_id = ANY ($1::int[]) ORDER BY type_index`,
    [questions.map(({ projectId }) => projectId)],
  )
  const groups = await loadGroups(client, questions)
  const deletedIds = await select<DeletedIdRecord>(client, SELECT_DELETED_IDS, [
    questions.map(({ projectId }) => projectId),
  ])
  return questions.map(
    ({ projectId }): ProjectFacts => ({
      persons: persons.get(projectId) ?? [],
      distinctIds: owners.get(projectId) ?? [],
      personlessDistinctIds: (personless.get(projectId) ?? []).map(({ distinctId }) => distinctId),
      groupTypes: groupTypes.get(projectId) ?? [],
      groups: groups.get(projectId) ?? [],
      ...(deletedIds.has(projectId) && { deletedIds: deletedIds.get(projectId) ?? [] }),
    }),
  )
}

/** Owners of the ids asked for; where persons may be merged, of all other ids of those persons too. */
async function loadOwners(
  client: PoolClient,
  questions: readonly ProjectQuestion[],
  asked: readonly unknown[],
): Promise<Map<ProjectId, DistinctIdRecord[]>> {
  const owners = await select<DistinctIdRecord>(
    client,
    `${SELECT_DISTINCT_ID} JOIN unnest($1::int[], $2::text[]) AS asked (project_id, distinct_id)
       USING (project_id, distinct_id)`,
    asked,
  )
  const merging = pairs(questions, ({ projectId, mergingDistinctIds }) => {
    const ids = new Set(mergingDistinctIds)
    const rows = (owners.get(projectId) ?? []).filter(
      ({ distinctId, personId }) => personId !== null && ids.has(distinctId),
    )
    return new Set(rows.map(({ personId }) => personId))
  })
  if (merging[0].length === 0) return owners
  const siblings = await select<DistinctIdRecord>(
    client,
    `${SELECT_DISTINCT_ID} JOIN unnest($1::int[], $2::uuid[]) AS asked (project_id, person_id) USING (project_id, person_id)`,
    merging,
  )
  for (const [projectId, rows] of siblings) {
    const all = new Map([...(owners.get(projectId) ?? []), ...rows].map((row) => [row.distinctId, row]))
    owners.set(projectId, [...all.values()])
  }
  return owners
}

/** Persons of known ids, and the persons that ids without an owner would create: they may be tombstones. */
function personIds({ projectId, distinctIds }: ProjectQuestion, owners: readonly DistinctIdRecord[]): Set<PersonId> {
  const ids = new Set<PersonId>()
  const owned = new Set<string>()
  for (const { distinctId, personId } of owners) {
    if (personId === null) continue
    ids.add(personId)
    owned.add(distinctId)
  }
  for (const distinctId of distinctIds) if (!owned.has(distinctId)) ids.add(personIdOf(projectId, distinctId))
  return ids
}

async function loadGroups(client: PoolClient, questions: readonly ProjectQuestion[]) {
  const [projectIds, keys] = pairs(questions, ({ groups }) => groups.map(({ key }) => key))
  if (projectIds.length === 0) return new Map<ProjectId, GroupRecord[]>()
  const typeNames = questions.flatMap(({ groups }) => groups.map(({ typeName }) => typeName))
  return select<GroupRecord>(
    client,
    `SELECT project_id AS "projectId", type_index AS "typeIndex", group_key AS key, properties, version::float8,
            (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
       FROM unnest($1::int[], $2::text[], $3::text[]) AS asked (project_id, group_key, name)
       JOIN group_type USING (project_id, name) JOIN group_entry USING (project_id, type_index, group_key)`,
    [projectIds, keys, typeNames],
  )
}

/** Two parallel arrays for `unnest`: the project and one value. */
function pairs<Value>(
  questions: readonly ProjectQuestion[],
  valuesOf: (question: ProjectQuestion) => Iterable<Value>,
): [ProjectId[], Value[]] {
  const projectIds: ProjectId[] = []
  const values: Value[] = []
  for (const question of questions)
    for (const value of valuesOf(question)) {
      projectIds.push(question.projectId)
      values.push(value)
    }
  return [projectIds, values]
}

async function select<Row>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Map<ProjectId, Row[]>> {
  const { rows } = await client.query<QueryResultRow & { projectId: ProjectId }>(text, [...values])
  const byProject = new Map<ProjectId, Row[]>()
  for (const { projectId, ...row } of rows) {
    const known = byProject.get(projectId)
    if (known === undefined) byProject.set(projectId, [row as Row])
    else known.push(row as Row)
  }
  return byProject
}
