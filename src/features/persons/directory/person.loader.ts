import DataLoader from "dataloader"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { LoaderFactory } from "../../../kernel/request-context.js"
import type { PersonDirectory } from "./person-directory.store.js"
import type { Person } from "./persons.graphql.js"

/** A key of one project: loaders never answer across projects. */
export interface InProject<Key> {
  readonly projectId: ProjectId
  readonly key: Key
}

/** Loaders of persons by id and by distinct id. */
export interface PersonLoaders {
  readonly byId: LoaderFactory<InProject<PersonId>, Person | null>
  readonly byDistinctId: LoaderFactory<InProject<string>, Person | null>
  readonly distinctIds: LoaderFactory<InProject<PersonId>, string[]>
}

/** Loads persons for one request: whatever is asked for in one tick is read in one statement per project. */
export function createPersonLoaders(directory: PersonDirectory): PersonLoaders {
  return {
    byId: perProject(async (projectId, ids) => {
      const persons = await directory.findMany(projectId, ids)
      const byId = new Map(persons.map((person) => [person.id, person]))
      return (id) => byId.get(id) ?? null
    }),
    byDistinctId: perProject(async (projectId, distinctIds) => {
      const persons = await directory.findByDistinctIds(projectId, distinctIds)
      return (distinctId) => persons.get(distinctId) ?? null
    }),
    distinctIds: perProject(async (projectId, ids) => {
      const distinctIds = await directory.listDistinctIds(projectId, ids)
      return (id) => distinctIds.get(id) ?? []
    }),
  }
}

type Read<Key, Value> = (projectId: ProjectId, keys: readonly Key[]) => Promise<(key: Key) => Value>

function perProject<Key extends string, Value>(read: Read<Key, Value>): LoaderFactory<InProject<Key>, Value> {
  return () =>
    new DataLoader<InProject<Key>, Value, string>(
      async (wanted) => {
        const found = new Map<ProjectId, (key: Key) => Value>()
        for (const [projectId, keys] of Map.groupBy(wanted, ({ projectId }) => projectId))
          found.set(
            projectId,
            await read(
              projectId,
              keys.map(({ key }) => key),
            ),
          )
        return wanted.map(({ projectId, key }) => (found.get(projectId) as (key: Key) => Value)(key))
      },
      { cacheKeyFn: ({ projectId, key }) => `${projectId}:${key}` },
    )
}
