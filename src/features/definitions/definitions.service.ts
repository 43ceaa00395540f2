import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import { asUserId, type ProjectId, type UserId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import type { ListPage, PageRequest } from "../../kernel/paging.js"
import { readTags, requireLength } from "../../kernel/text-length.js"
import type { DefinitionRepository } from "./definition.repository.js"
import type {
  Definition,
  DefinitionChanges,
  DefinitionFilter,
  DefinitionKey,
  DefinitionRequest,
} from "./definitions.types.js"

const MAX_DESCRIPTION_LENGTH = 10_000
const MAX_NAMES = 1_000

export interface DefinitionsDependencies {
  readonly repository: DefinitionRepository
  readonly clock: Clock
}

export type DefinitionsService = ReturnType<typeof createDefinitionsService>

/** Use cases on the names of events and properties. Faults are AppErrors naming the field and the rule. */
export function createDefinitionsService({ repository, clock }: DefinitionsDependencies) {
  async function readOwner(projectId: ProjectId, number: number | null): Promise<UserId | null> {
    if (number === null) return null
    const owner = asUserId(number)
    if (await repository.isMember(projectId, owner)) return owner
    const detail = "ownerNumber must be the number of a member of the organization."
    throw new AppError("does_not_exist", { attr: "ownerNumber", detail })
  }

  async function readChanges(projectId: ProjectId, request: DefinitionRequest): Promise<DefinitionChanges> {
    const { description, ownerNumber, isVerified, tags, isHidden } = request
    if (description != null) requireLength("description", description, MAX_DESCRIPTION_LENGTH)
    return {
      ...(description != null && { description: toStorableText(description).trim() }),
      ...(ownerNumber !== undefined && { ownerId: await readOwner(projectId, ownerNumber) }),
      ...(isVerified != null && { isVerified }),
      ...(tags != null && { tags: readTags("tags", tags) }),
      ...(isHidden != null && { isHidden }),
    }
  }

  return {
    /** Names of one kind, in their order. @throws AppError invalid_input for too many names. */
    list(projectId: ProjectId, filter: DefinitionFilter, page: PageRequest): Promise<ListPage<Definition>> {
      if ((filter.names?.length ?? 0) > MAX_NAMES)
        throw new AppError("invalid_input", { attr: "names", detail: `names must have at most ${MAX_NAMES} items.` })
      return repository.list(projectId, filter, page)
    },

    findMany: repository.findMany,

    /** @throws AppError not_found for a name that ingestion has not seen, does_not_exist, max_length, invalid_input. */
    async update(
      projectId: ProjectId,
      author: UserId,
      key: DefinitionKey,
      request: DefinitionRequest,
    ): Promise<Definition> {
      const changes = await readChanges(projectId, request)
      const changed = await repository.update(projectId, key, changes, author, new Date(clock.now()))
      if (changed === null) throw new AppError("not_found")
      return changed
    },
  }
}
