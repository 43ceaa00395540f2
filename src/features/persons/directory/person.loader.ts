import type { PersonId } from "../../../kernel/ids.js"
import { createProjectLoader, type InProject } from "../../../kernel/project-loader.js"
import type { LoaderFactory } from "../../../kernel/request-context.js"
import type { PersonDirectory } from "./person-directory.store.js"
import type { Person } from "./persons.graphql.js"

/** Loaders of persons by id and by distinct id. */
export interface PersonLoaders {
  readonly byId: LoaderFactory<InProject<PersonId>, Person | null>
  readonly byDistinctId: LoaderFactory<InProject<string>, Person | null>
  readonly distinctIds: LoaderFactory<InProject<PersonId>, string[]>
}

/** Loads persons for one request: whatever is asked for in one tick is read in one statement per project. */
export function createPersonLoaders(directory: PersonDirectory): PersonLoaders {
  return {
    byId: createProjectLoader(async (projectId, ids) => {
      const persons = await directory.findMany(projectId, ids)
      const byId = new Map(persons.map((person) => [person.id, person]))
      return (id) => byId.get(id) ?? null
    }),
    byDistinctId: createProjectLoader(async (projectId, distinctIds) => {
      const persons = await directory.findByDistinctIds(projectId, distinctIds)
      return (distinctId) => persons.get(distinctId) ?? null
    }),
    distinctIds: createProjectLoader(async (projectId, ids) => {
      const distinctIds = await directory.listDistinctIds(projectId, ids)
      return (id) => distinctIds.get(id) ?? []
    }),
  }
}
