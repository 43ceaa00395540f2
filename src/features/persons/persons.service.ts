import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { asPersonId, isUuid, type ProjectId } from "../../kernel/ids.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"
import type { Logger } from "../../platform/logger/logger.js"
import type {
  Group,
  GroupType,
  Person,
  PersonDirectory,
  PersonFilter,
  PropertyValue,
} from "./person-directory.types.js"
import type { PersonDeletions } from "./persons.types.js"

export interface PersonsServiceDependencies {
  readonly directory: PersonDirectory
  readonly deletions: PersonDeletions
  readonly clock: Clock
  readonly logger: Logger
}

export type PersonsService = ReturnType<typeof createPersonsService>

/** Use cases on persons and groups. Persons are changed by events only; here they are read and deleted. */
export function createPersonsService({ directory, deletions, clock, logger }: PersonsServiceDependencies) {
  return {
    list: (projectId: ProjectId, filter: PersonFilter, window: OffsetWindow): Promise<Page<Person>> =>
      directory.list(projectId, filter, window),

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

    /**
     * Deletes a person. When ClickHouse is away, queries show the person until it is back.
     * @throws AppError invalid_input when `id` is no UUID, not_found when there is no such person.
     */
    async delete(projectId: ProjectId, id: string, deleteEvents: boolean): Promise<void> {
      const isDeleted = await deletions.request(projectId, toPersonId(id), deleteEvents, clock.now())
      if (!isDeleted) throw new AppError("not_found", { detail: "There is no such person." })
      await deletions.applyPending().catch((error: unknown) => {
        logger.warn("a deletion will reach ClickHouse later", { err: error, projectId })
      })
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

function toPersonId(id: string | undefined) {
  if (id === undefined || !isUuid(id))
    throw new AppError("invalid_input", {
      attr: "id",
      detail: "id must be the UUID of a person. A person is found by another id with distinctId.",
    })
  return asPersonId(id.toLowerCase())
}
