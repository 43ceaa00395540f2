import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import type { JsonObject } from "../../../kernel/json.js"
import { waitAtMost } from "../../../kernel/wait-at-most.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PersonDeletions } from "../deletion/person-deletion.store.js"
import type { PersonDirectory } from "../directory/person-directory.store.js"
import { findByNumber, isPersonNumber } from "../directory/person-number.js"
import type { Person } from "../directory/persons.graphql.js"
import { toPersonId } from "../directory/to-person-id.js"
import { orderDistinctIds } from "../person-name.js"
import type { DeletionExtent, PendingCopies } from "../persons.types.js"
import type { PersonSplits } from "./person-split.store.js"

/** Persons change by events only. Resolves once the event is on disk; ingestion does the rest. */
export interface PersonEvents {
  /** @throws AppError store_unavailable when the event cannot be kept. */
  send(projectId: ProjectId, event: { name: string; distinctId: string; properties: JsonObject }): Promise<void>
}

export interface PersonChangesDependencies {
  readonly directory: PersonDirectory
  readonly deletions: PersonDeletions
  readonly splits: PersonSplits
  readonly events: PersonEvents
  readonly clock: Clock
  readonly logger: Logger
  /** How long a caller waits until ClickHouse has applied a change that PostgreSQL has committed. */
  readonly applyTimeoutMs: number
}

/** Which persons to delete; exactly one of the two lists is given. */
export interface PersonSelection {
  readonly ids?: readonly string[] | null
  readonly distinctIds?: readonly string[] | null
}

export type PersonChangesService = ReturnType<typeof createPersonChangesService>

const MAX_DELETED_AT_ONCE = 1000

/** Use cases that change persons. When ClickHouse is away, queries show what was before until it is back. */
export function createPersonChangesService(dependencies: PersonChangesDependencies) {
  const { directory, deletions, splits, events, clock, logger, applyTimeoutMs } = dependencies

  const applyToClickHouse = (copies: PendingCopies, projectId: ProjectId): Promise<void> => {
    const applied = copies.applyPending().catch((error: unknown) => {
      logger.warn("a change of persons will reach ClickHouse later", { err: error, projectId })
    })
    return waitAtMost(applyTimeoutMs, applied)
  }

  async function selectIds(projectId: ProjectId, { ids, distinctIds }: PersonSelection): Promise<PersonId[]> {
    if ((ids == null) === (distinctIds == null))
      throw new AppError("invalid_input", { attr: "ids", detail: "Give either ids or distinct_ids." })
    const [attr, given] = ids == null ? (["distinct_ids", distinctIds ?? []] as const) : (["ids", ids] as const)
    if (given.length > MAX_DELETED_AT_ONCE)
      throw new AppError("max_length", {
        attr,
        detail: `Ensure this field has no more than ${MAX_DELETED_AT_ONCE} entries.`,
      })
    if (ids != null) return ids.map((id) => toPersonId(id, "ids"))
    const persons = await directory.findByDistinctIds(projectId, given)
    return [...new Set([...persons.values()].map(({ id }) => id))]
  }

  /** A person named as in lists, by its UUID, or as in recordings, by its number. */
  async function findPersonId(projectId: ProjectId, id: string): Promise<PersonId> {
    if (!isPersonNumber(id)) return toPersonId(id)
    const person = await findByNumber(directory, projectId, id)
    if (person === null) throw new AppError("not_found")
    return person.id
  }

  return {
    /** @throws AppError invalid_input when `id` is neither UUID nor number, not_found when there is no such person. */
    async delete(projectId: ProjectId, id: string, extent: DeletionExtent): Promise<void> {
      const count = await deletions.request(projectId, [await findPersonId(projectId, id)], extent, clock.now())
      if (count === 0) throw new AppError("not_found")
      await applyToClickHouse(deletions, projectId)
    },

    /**
     * Deletes up to 1,000 persons; ids that nobody has are passed over. Answers how many there were.
     * @throws AppError invalid_input, max_length naming `ids` or `distinct_ids`.
     */
    async deleteMany(projectId: ProjectId, selection: PersonSelection, extent: DeletionExtent): Promise<number> {
      const ids = await selectIds(projectId, selection)
      const count = await deletions.request(projectId, ids, extent, clock.now())
      if (count > 0) await applyToClickHouse(deletions, projectId)
      return count
    },

    /**
     * Gives every distinct id but one a person of its own. Answers the new persons.
     * @throws AppError invalid_input when `id` is neither UUID nor number or `mainDistinctId` is not the person's, not_found.
     */
    async split(projectId: ProjectId, id: string, mainDistinctId: string | null): Promise<Person[]> {
      const outcome = await splits.request(projectId, await findPersonId(projectId, id), mainDistinctId)
      if (outcome.kind === "no_such_person") throw new AppError("not_found")
      if (outcome.kind === "not_an_id_of_the_person")
        throw new AppError("invalid_input", {
          attr: "main_distinct_id",
          detail: "main_distinct_id must be one of the distinct ids of the person.",
        })
      await applyToClickHouse(splits, projectId)
      return directory.findMany(projectId, outcome.personIds)
    },

    /**
     * Sets and removes properties of a person by an event, which ingestion will store.
     * @throws AppError invalid_input when `id` is neither UUID nor number, not_found, store_unavailable.
     */
    async update(projectId: ProjectId, id: string, set: JsonObject, unset: readonly string[]): Promise<void> {
      const personId = await findPersonId(projectId, id)
      if ((await directory.findMany(projectId, [personId])).length === 0) throw new AppError("not_found")
      const owned = (await directory.listDistinctIds(projectId, [personId])).get(personId) ?? []
      const distinctId = orderDistinctIds(owned)[0]
      if (distinctId === undefined) throw new AppError("not_found")
      const properties = { $set: set, $unset: [...unset] }
      await events.send(projectId, { name: Object.keys(set).length > 0 ? "$set" : "$unset", distinctId, properties })
    },
  }
}
