import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type {
  Group,
  GroupType,
  Person,
  PersonDirectory,
  PersonFilter,
  PropertyValue,
} from "./person-directory.types.js"
import { toPersonId } from "./to-person-id.js"

export type PersonsService = ReturnType<typeof createPersonsService>

/** Persons that one export holds at most. */
export const MAX_EXPORTED_PERSONS = 10_000

/** Use cases that read persons and groups. */
export function createPersonsService(directory: PersonDirectory) {
  return {
    list: (projectId: ProjectId, filter: PersonFilter, window: OffsetWindow): Promise<Page<Person>> =>
      directory.list(projectId, filter, window),

    /** The newest 10,000 persons at once. */
    async export(projectId: ProjectId, filter: PersonFilter): Promise<readonly Person[]> {
      return (await directory.list(projectId, filter, { limit: MAX_EXPORTED_PERSONS, offset: 0 })).items
    },

    /**
     * One person by id or by distinct id; null when there is none.
     * @throws AppError invalid_input unless exactly one is given, or when `id` is no UUID.
     */
    async find(projectId: ProjectId, id: string | undefined, distinctId: string | undefined): Promise<Person | null> {
      if ((id === undefined) === (distinctId === undefined))
        throw new AppError("invalid_input", { attr: "id", detail: "Give either id or distinctId." })
      if (distinctId !== undefined)
        return (await directory.findByDistinctIds(projectId, [distinctId])).get(distinctId) ?? null
      return (await directory.findMany(projectId, [toPersonId(id)]))[0] ?? null
    },

    propertyValues: (
      projectId: ProjectId,
      property: string,
      containing: string | undefined,
    ): Promise<PropertyValue[]> => directory.propertyValues(projectId, property, containing ?? null),

    groupTypes: (projectId: ProjectId): Promise<GroupType[]> => directory.groupTypes(projectId),

    groups: (
      projectId: ProjectId,
      typeIndex: number,
      search: string | undefined,
      window: OffsetWindow,
    ): Promise<Page<Group>> => directory.groups(projectId, typeIndex, search ?? null, window),
  }
}
