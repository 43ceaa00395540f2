import type { PoolClient, QueryResultRow } from "pg"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import { derivePersonId } from "../person-uuid.js"
import type {
  DeletedIdRecord,
  DistinctIdRecord,
  GroupRecord,
  GroupTypeRecord,
  PersonRecord,
  ProjectFacts,
  ProjectLookup,
} from "../persons.types.js"
import { findDeletedPersons, findFreedIds, findProjectsWithTombstones } from "./person-tombstones.store.js"

/**
 * How many persons or groups are read at once. Each may have 640 KiB, and PostgreSQL has to answer in time; nearly all of them
 * have a few, and then more go together.
 */
const FIRST_READ = 100
const LATER_READ = 400
const LARGE_CHARACTERS = 16 * 1024
/** Hashing so many person ids takes some milliseconds. */
const IDS_PER_YIELD = 4_000

const SELECT_DISTINCT_IDS = `SELECT project_id AS "projectId", distinct_id AS "distinctId", person_id AS "personId",
  version::float8 FROM person_distinct_id`
const SELECT_OWNERS = `${SELECT_DISTINCT_IDS} JOIN unnest($1::int[], $2::text[]) AS wanted (project_id, distinct_id)
  USING (project_id, distinct_id)`
const SELECT_IDS_OF_PERSONS = `${SELECT_DISTINCT_IDS} JOIN unnest($1::int[], $2::uuid[]) AS wanted (project_id, person_id)
  USING (project_id, person_id)`
const SELECT_PERSONLESS_IDS = `SELECT project_id AS "projectId", distinct_id AS "distinctId" FROM personless_distinct_id
  JOIN unnest($1::int[], $2::text[]) AS wanted (project_id, distinct_id) USING (project_id, distinct_id)`
const SELECT_GROUP_TYPES = `SELECT project_id AS "projectId", name, type_index AS "typeIndex" FROM group_type
  WHERE project_id = ANY ($1::int[]) ORDER BY type_index`
const SELECT_PERSONS = `SELECT project_id AS "projectId", id, properties::text AS json, is_identified AS "isIdentified",
  is_deleted AS "isDeleted", version::float8, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs" FROM person
  JOIN unnest($1::int[], $2::uuid[]) AS wanted (project_id, id) USING (project_id, id)`
const SELECT_GROUPS = `SELECT project_id AS "projectId", type_index AS "typeIndex", group_key AS key, properties::text AS json,
    version::float8, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
  FROM unnest($1::int[], $2::text[], $3::text[]) AS wanted (project_id, group_key, name)
  JOIN group_type USING (project_id, name) JOIN group_entry USING (project_id, type_index, group_key)`
/** Deletions that may have events in the log still; there is hardly ever one. */
const SELECT_DELETED_IDS = `SELECT project_id AS "projectId", freed ->> 'distinctId' AS "distinctId",
    (extract(epoch FROM requested_at) * 1000)::float8 AS "deletedAtMs"
  FROM person_deletion, jsonb_array_elements(distinct_ids) AS freed
  WHERE delete_events AND project_id = ANY ($1::int[])`

/**
 * Loads what the events of a batch need to know, each kind of fact for all projects at once. Persons and groups are read in the
 * order of the lookups, until their JSON has more than `maxCharacters` of each kind; the rest is `notLoaded`.
 */
export async function loadPersonFacts(
  client: PoolClient,
  lookups: readonly ProjectLookup[],
  maxCharacters = Number.POSITIVE_INFINITY,
): Promise<ProjectFacts[]> {
  const projectIds = lookups.map(({ projectId }) => projectId)
  const distinctIds = toColumns(lookups, (lookup) => lookup.distinctIds)
  const owners = await loadOwners(client, lookups, distinctIds)
  const withTombstones = await findProjectsWithTombstones(client, projectIds)
  if (withTombstones.size > 0) await addFreedIds(client, lookups, owners, withTombstones)
  const personIds = await resolvePersonIds(lookups, owners)
  const persons = await loadPersons(client, personIds, maxCharacters)
  if (withTombstones.size > 0) await addDeletedPersons(client, personIds, persons, withTombstones)
  const personless = await select<{ distinctId: string }>(client, SELECT_PERSONLESS_IDS, distinctIds)
  const groupTypes = await select<GroupTypeRecord>(client, SELECT_GROUP_TYPES, [projectIds])
  const groups = await loadGroups(client, lookups, maxCharacters)
  const deletedIds = await select<DeletedIdRecord>(client, SELECT_DELETED_IDS, [projectIds])
  return projectIds.map((projectId): ProjectFacts => {
    const personsLeft = new Set<PersonId | null>(persons.left.get(projectId)?.map(({ id }) => id))
    const idsLeft = new Set<string>()
    // An id that belongs to nobody is left out with the person whom it would create.
    if (personsLeft.size > 0)
      for (const [distinctId, id] of personIds.get(projectId) ?? []) if (personsLeft.has(id)) idsLeft.add(distinctId)
    const isLoaded = ({ distinctId }: { readonly distinctId: string }): boolean => !idsLeft.has(distinctId)
    const groupsLeft = groups.left.get(projectId) ?? []
    return {
      persons: persons.records.get(projectId) ?? [],
      distinctIds: (owners.get(projectId) ?? []).filter((id) => isLoaded(id) && !personsLeft.has(id.personId)),
      personlessDistinctIds: (personless.get(projectId) ?? []).filter(isLoaded).map(({ distinctId }) => distinctId),
      groupTypes: groupTypes.get(projectId) ?? [],
      groups: groups.records.get(projectId) ?? [],
      ...(deletedIds.has(projectId) && { deletedIds: deletedIds.get(projectId) ?? [] }),
      ...(idsLeft.size + groupsLeft.length > 0 && { notLoaded: { distinctIds: [...idsLeft], groups: groupsLeft } }),
    }
  })
}

/** Owners of the ids looked up; where persons may be merged, of all other ids of those persons too. */
async function loadOwners(
  client: PoolClient,
  lookups: readonly ProjectLookup[],
  distinctIds: readonly unknown[],
): Promise<Map<ProjectId, DistinctIdRecord[]>> {
  const owners = await select<DistinctIdRecord>(client, SELECT_OWNERS, distinctIds)
  const merging = toColumns(lookups, ({ projectId, mergingDistinctIds }) => {
    const ids = new Set(mergingDistinctIds)
    const owned = (owners.get(projectId) ?? []).filter(({ distinctId }) => ids.has(distinctId))
    return new Set(owned.flatMap(({ personId }) => personId ?? []))
  })
  if (merging[0].length === 0) return owners
  for (const [projectId, rows] of await select<DistinctIdRecord>(client, SELECT_IDS_OF_PERSONS, merging)) {
    const all = new Map([...(owners.get(projectId) ?? []), ...rows].map((row) => [row.distinctId, row]))
    owners.set(projectId, [...all.values()])
  }
  return owners
}

/** Adds ids that were freed and are known by their hashes only. */
async function addFreedIds(
  client: PoolClient,
  lookups: readonly ProjectLookup[],
  owners: Map<ProjectId, DistinctIdRecord[]>,
  projectIds: ReadonlySet<ProjectId>,
): Promise<void> {
  const wanted = lookups
    .filter(({ projectId }) => projectIds.has(projectId))
    .flatMap(({ projectId, distinctIds }) => {
      const known = new Set(owners.get(projectId)?.map(({ distinctId }) => distinctId))
      return [...new Set(distinctIds)].filter((id) => !known.has(id)).map((id) => ({ projectId, id }))
    })
  for (const { projectId, ...freed } of await findFreedIds(client, wanted)) addToList(owners, projectId, freed)
}

/** Adds deleted persons who are known by their hashes only. */
async function addDeletedPersons(
  client: PoolClient,
  personIds: ReadonlyMap<ProjectId, ReadonlyMap<string, PersonId>>,
  { records, left }: LoadedRows<PersonRecord, { readonly id: PersonId }>,
  projectIds: ReadonlySet<ProjectId>,
): Promise<void> {
  const wanted = [...projectIds].flatMap((projectId) => {
    const rows = [...(records.get(projectId) ?? []), ...(left.get(projectId) ?? [])]
    const known = new Set(rows.map(({ id }) => id))
    const ids = [...new Set(personIds.get(projectId)?.values())]
    return ids.filter((id) => !known.has(id)).map((id) => ({ projectId, id }))
  })
  for (const { projectId, ...deleted } of await findDeletedPersons(client, wanted))
    addToList(records, projectId, deleted)
}

/**
 * Which person each distinct id is about, by project and in the order of the lookups: its owner, or whom it would create, who may be
 * a tombstone.
 */
async function resolvePersonIds(
  lookups: readonly ProjectLookup[],
  owners: ReadonlyMap<ProjectId, readonly DistinctIdRecord[]>,
): Promise<ReadonlyMap<ProjectId, ReadonlyMap<string, PersonId>>> {
  const resolved = new Map<ProjectId, Map<string, PersonId>>()
  const budget = new YieldBudget(IDS_PER_YIELD)
  for (const { projectId, distinctIds } of lookups) {
    const known = new Map(owners.get(projectId)?.map(({ distinctId, personId }) => [distinctId, personId]))
    const personIds = new Map<string, PersonId>()
    resolved.set(projectId, personIds)
    for (const distinctId of distinctIds) {
      personIds.set(distinctId, known.get(distinctId) ?? derivePersonId(projectId, distinctId))
      if (budget.spend(1)) await yieldToEventLoop()
    }
  }
  return resolved
}

function loadPersons(
  client: PoolClient,
  personIds: ReadonlyMap<ProjectId, ReadonlyMap<string, PersonId>>,
  maxCharacters: number,
) {
  const wanted = [...personIds].flatMap(([projectId, ids]) =>
    [...new Set(ids.values())].map((id) => ({ projectId, id })),
  )
  return loadUpTo<PersonRecord, (typeof wanted)[number]>(wanted, maxCharacters, (some) =>
    client.query(SELECT_PERSONS, [some.map(({ projectId }) => projectId), some.map(({ id }) => id)]),
  )
}

function loadGroups(client: PoolClient, lookups: readonly ProjectLookup[], maxCharacters: number) {
  const wanted = lookups.flatMap(({ projectId, groups }) => groups.map((group) => ({ projectId, ...group })))
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

interface LoadedRows<Row, Wanted> {
  readonly records: Map<ProjectId, Row[]>
  /** What was not read, because it would have been too much. */
  readonly left: ReadonlyMap<ProjectId, readonly Wanted[]>
}

/**
 * Reads what is wanted, a few at a time, until that has more than `maxCharacters` of JSON: it is not known before how large
 * anything is. The first few are read in any case.
 */
async function loadUpTo<Row, Wanted extends InProject>(
  wanted: readonly Wanted[],
  maxCharacters: number,
  read: (some: readonly Wanted[]) => Promise<{ readonly rows: JsonRow[] }>,
): Promise<LoadedRows<Row, Wanted>> {
  const records = new Map<ProjectId, Row[]>()
  let from = 0
  let count = FIRST_READ
  for (let characters = 0; from < wanted.length && characters <= maxCharacters; ) {
    const { rows } = await read(wanted.slice(from, from + count))
    from += count
    let charactersOfRows = 0
    for (const { projectId, json, ...row } of rows) {
      charactersOfRows += json.length
      const properties: JsonObject = JSON.parse(json)
      addToList(records, projectId, { ...row, properties, characters: json.length } as Row)
    }
    characters += charactersOfRows
    count = charactersOfRows > count * LARGE_CHARACTERS ? FIRST_READ : LATER_READ
  }
  return { records, left: Map.groupBy(wanted.slice(from), ({ projectId }) => projectId) }
}

/** Two parallel arrays for `unnest`: the project and one value. */
function toColumns<Value>(
  lookups: readonly ProjectLookup[],
  readValues: (lookup: ProjectLookup) => Iterable<Value>,
): [ProjectId[], Value[]] {
  const projectIds: ProjectId[] = []
  const values: Value[] = []
  for (const lookup of lookups)
    for (const value of readValues(lookup)) {
      projectIds.push(lookup.projectId)
      values.push(value)
    }
  return [projectIds, values]
}

/** Rows by project. */
async function select<Row>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Map<ProjectId, Row[]>> {
  const { rows } = await client.query<QueryResultRow & InProject>(text, [...values])
  const byProject = new Map<ProjectId, Row[]>()
  for (const { projectId, ...row } of rows) addToList(byProject, projectId, row as Row)
  return byProject
}

function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
