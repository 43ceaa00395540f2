import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { firstRows, type ListPage, type PageRequest } from "../../../kernel/paging.js"
import type { PersonFilter } from "./person-condition.store.js"
import { MAX_CHARACTERS_AT_ONCE, type PersonDirectory, tooManyProperties } from "./person-directory.store.js"
import { findByNumber, isPersonNumber } from "./person-number.js"
import type { GroupObjectType, Person, PersonFilterInput } from "./persons.graphql.js"
import type { FilterRules } from "./property-condition.js"
import { toPropertyGroup } from "./property-group.js"
import { toPersonId } from "./to-person-id.js"

export type PersonsService = ReturnType<typeof createPersonsService>

/** Persons that one export holds at most. */
export const MAX_EXPORTED_PERSONS = 10_000

/**
 * Use cases that read persons and groups.
 * @param readTimeZone gives the IANA name of a project's zone, in which dates without an offset are read.
 */
export function createPersonsService(
  directory: PersonDirectory,
  filterRules: FilterRules,
  readTimeZone: (projectId: ProjectId) => Promise<string>,
  clock: Clock,
) {
  async function toFilter(projectId: ProjectId, request: PersonFilterInput): Promise<PersonFilter> {
    const { properties, propertyGroup, ...filter } = request
    if (properties == null && propertyGroup == null) return filter
    const context = { rules: filterRules, timeZone: await readTimeZone(projectId), nowMs: clock.now() }
    const groups = propertyGroup == null ? [] : [propertyGroup]
    return { ...filter, properties: toPropertyGroup({ conditions: properties ?? [], groups }, context) }
  }

  return {
    /** @throws AppError invalid_input naming `properties`. */
    async list(projectId: ProjectId, request: PersonFilterInput, page: PageRequest): Promise<ListPage<Person>> {
      return directory.list(projectId, await toFilter(projectId, request), page)
    },

    /** The newest 10,000 persons at once. @throws AppError invalid_input naming `properties`, result_too_large. */
    async export(projectId: ProjectId, request: PersonFilterInput): Promise<readonly Person[]> {
      const filter = await toFilter(projectId, request)
      const page = await directory.list(projectId, filter, firstRows(MAX_EXPORTED_PERSONS), MAX_CHARACTERS_AT_ONCE)
      if (page.items.length < MAX_EXPORTED_PERSONS && (await page.hasNext())) throw tooManyProperties()
      return page.items
    },

    /**
     * One person by id, by its number in recordings or by distinct id; null when there is none.
     * @throws AppError invalid_input unless exactly one is given, or when `id` is neither a UUID nor a number.
     */
    async find(projectId: ProjectId, id: string | null, distinctId: string | null): Promise<Person | null> {
      if ((id === null) === (distinctId === null))
        throw new AppError("invalid_input", { attr: "id", detail: "Give either id or distinctId." })
      if (distinctId !== null)
        return (await directory.findByDistinctIds(projectId, [distinctId])).get(distinctId) ?? null
      if (id !== null && isPersonNumber(id)) return findByNumber(directory, projectId, id)
      return (await directory.findMany(projectId, [toPersonId(id ?? "")]))[0] ?? null
    },

    propertyValues: (projectId: ProjectId, property: string, containing: string | undefined) =>
      directory.propertyValues(projectId, property, containing ?? null),

    groupTypes: directory.groupTypes,
    findGroups: directory.findGroups,

    groups: (
      projectId: ProjectId,
      typeIndex: number,
      search: string | undefined,
      page: PageRequest,
    ): Promise<ListPage<GroupObjectType>> => directory.groups(projectId, typeIndex, search ?? null, page),
  }
}
