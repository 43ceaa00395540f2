import type { PoolClient, QueryResultRow } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
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

/**
 * How many persons or groups are read at once. Each may have 640 KiB, and PostgreSQL has to answer in time; nearly all of them
 * have a few, and then more go together.
 */
const FIRST_READ = 100
const LATER_READ = 400
const LARGE_CHARACTERS = 16 * 1024
/** Naming so many persons takes some milliseconds. */
const IDS_PER_YIELD = 4_000

const SELECT_DISTINCT_ID = `SELECT project_id AS "projectId", distinct_id AS "distinctId", person_id AS "personId",
  version::float8 FROM person_distinct_id`
const SELECT_PERSONS = `SELECT project_id AS "projectId", id, properties::text AS json, is_identified AS "isIdentified",
  is_deleted AS "isDeleted", version::float8, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs" FROM person
  JOIN unnest($1::int[], $2::uuid[]) AS asked (project_id, id) USING (project_id, id)`
const SELECT_GROUPS = `SELECT project_id AS "projectId", type_index AS "typeIndex", group_key AS key, properties::text AS json,
    version::float8, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
  FROM unnest($1::int[], $2::text[], $3::text[]) AS asked (project_id, group_key, name)
  JOIN group_type USING (project_id, name) JOIN group_entry USING (project_id, type_index, group_key)`
/** Deletions that may have events in the log still; there is hardly ever one. */
const SELECT_DELETED_IDS = `SELECT project_id AS "projectId", freed ->> 'distinctId' AS "distinctId",
    (extract(epoch FROM requested_at) * 1000)::float8 AS "deletedAtMs"
  FROM person_deletion, jsonb_array_elements(distinct_ids) AS freed
  WHERE delete_events AND project_id = ANY ($1::int[])`

/**
 * Reads what the events of a slice need to know, each kind of fact for all projects at once. Persons and groups are read in the
 * order in which they are asked for, until their JSON has more than `maxCharacters` of each kind; the rest is `unanswered`.
 */
export async function loadPersonFacts(
  client: PoolClient,
  questions: readonly ProjectQuestion[],
  maxCharacters = Number.POSITIVE_INFINITY,
): Promise<ProjectFacts[]> {
  const asked = pairs(questions, ({ distinctIds }) => distinctIds)
  const owners = await loadOwners(client, questions, asked)
  const persons = await loadPersons(client, questions, owners, maxCharacters)
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
  const groups = await loadGroups(client, questions, maxCharacters)
  const deletedIds = await select<DeletedIdRecord>(client, SELECT_DELETED_IDS, [
    questions.map(({ projectId }) => projectId),
  ])
  return questions.map((question): ProjectFacts => {
    const { projectId } = question
    const leftOut = persons.leftOut.get(projectId)
    const owned = owners.get(projectId) ?? []
    const unanswered = {
      distinctIds: leftOut === undefined ? [] : idsOf(leftOut, question, owned),
      groups: groups.leftOut.get(projectId) ?? [],
    }
    // An id that belongs to nobody is left out with the person whom it would create.
    const unsaid = new Set(unanswered.distinctIds)
    const isSaid = ({ distinctId }: { readonly distinctId: string }): boolean => !unsaid.has(distinctId)
    return {
      persons: persons.records.get(projectId) ?? [],
      distinctIds: owned.filter(({ distinctId, personId }) => isSaid({ distinctId }) && !leftOut?.has(personId)),
      personlessDistinctIds: (personless.get(projectId) ?? []).filter(isSaid).map(({ distinctId }) => distinctId),
      groupTypes: groupTypes.get(projectId) ?? [],
      groups: groups.records.get(projectId) ?? [],
      ...(deletedIds.has(projectId) && { deletedIds: deletedIds.get(projectId) ?? [] }),
      ...(unanswered.distinctIds.length + unanswered.groups.length > 0 && { unanswered }),
    }
  })
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

/** Which persons a question is about, in its order: those of known ids, and those that ids without an owner would create. */
async function personIds(question: ProjectQuestion, owners: readonly DistinctIdRecord[]): Promise<Set<PersonId>> {
  const personIdFor = ownersOf(question, owners)
  const ids = new Set<PersonId>()
  const budget = new YieldBudget(IDS_PER_YIELD)
  for (const distinctId of question.distinctIds) {
    ids.add(personIdFor(distinctId))
    if (budget.spend(1)) await yieldToEventLoop()
  }
  return ids
}

function ownersOf({ projectId }: ProjectQuestion, owners: readonly DistinctIdRecord[]) {
  const byId = new Map(owners.map(({ distinctId, personId }) => [distinctId, personId]))
  // Without an owner: it may be a tombstone.
  return (distinctId: string): PersonId => byId.get(distinctId) ?? personIdOf(projectId, distinctId)
}

function idsOf(
  persons: ReadonlySet<PersonId | null>,
  question: ProjectQuestion,
  owners: readonly DistinctIdRecord[],
): string[] {
  const personIdFor = ownersOf(question, owners)
  return question.distinctIds.filter((distinctId) => persons.has(personIdFor(distinctId)))
}

async function loadPersons(
  client: PoolClient,
  questions: readonly ProjectQuestion[],
  owners: ReadonlyMap<ProjectId, readonly DistinctIdRecord[]>,
  maxCharacters: number,
) {
  const wanted: { readonly projectId: ProjectId; readonly id: PersonId }[] = []
  for (const question of questions) {
    const { projectId } = question
    for (const id of await personIds(question, owners.get(projectId) ?? [])) wanted.push({ projectId, id })
  }
  const { records, leftOut } = await loadUpTo<PersonRecord, (typeof wanted)[number]>(wanted, maxCharacters, (some) =>
    client.query(SELECT_PERSONS, [some.map(({ projectId }) => projectId), some.map(({ id }) => id)]),
  )
  const idsLeftOut = new Map<ProjectId, Set<PersonId | null>>()
  for (const [projectId, rest] of leftOut) idsLeftOut.set(projectId, new Set(rest.map(({ id }) => id)))
  return { records, leftOut: idsLeftOut }
}

function loadGroups(client: PoolClient, questions: readonly ProjectQuestion[], maxCharacters: number) {
  const wanted = questions.flatMap(({ projectId, groups }) => groups.map((group) => ({ projectId, ...group })))
  return loadUpTo<GroupRecord, (typeof wanted)[number]>(wanted, maxCharacters, (some) =>
    client.query(SELECT_GROUPS, [
      some.map(({ projectId }) => projectId),
      some.map(({ key }) => key),
      some.map(({ typeName }) => typeName),
    ]),
  )
}

interface InProject {
  readonly projectId: ProjectId
}

type JsonRow = InProject & { readonly json: string }

/**
 * Reads what is wanted, a few at a time, until that has more than `maxCharacters` of JSON: it is not known before how large
 * anything is. The first few are read in any case.
 */
async function loadUpTo<Row, Wanted extends InProject>(
  wanted: readonly Wanted[],
  maxCharacters: number,
  read: (some: readonly Wanted[]) => Promise<{ readonly rows: JsonRow[] }>,
): Promise<{ readonly records: Map<ProjectId, Row[]>; readonly leftOut: ReadonlyMap<ProjectId, readonly Wanted[]> }> {
  const records = new Map<ProjectId, Row[]>()
  let from = 0
  let count = FIRST_READ
  for (let characters = 0; from < wanted.length && characters <= maxCharacters; ) {
    const { rows } = await read(wanted.slice(from, from + count))
    from += count
    let charactersOfRows = 0
    for (const { projectId, json, ...row } of rows) {
      charactersOfRows += json.length
      const record = { ...row, properties: JSON.parse(json) as JsonObject, characters: json.length } as Row
      const known = records.get(projectId)
      if (known === undefined) records.set(projectId, [record])
      else known.push(record)
    }
    characters += charactersOfRows
    count = charactersOfRows > count * LARGE_CHARACTERS ? FIRST_READ : LATER_READ
  }
  return { records, leftOut: Map.groupBy(wanted.slice(from), ({ projectId }) => projectId) }
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
