import { asUserId } from "../../../kernel/ids.js"
import { toStorableText } from "../../../kernel/json.js"
import type { RequestContext } from "../../../kernel/request-context.js"
import { readTags, requireLength, requireName } from "../../../kernel/text-length.js"
import { requireCaller } from "../../access/index.js"
import type { SavedFilterInput } from "./saved.graphql.js"
import type { SavedChanges, SavedFilter, SavedRequest } from "./saved.types.js"

const MAX_NAME_LENGTH = 400
const MAX_DESCRIPTION_LENGTH = 10_000

/** What a request changes, in the form that is stored. @throws AppError blank, max_length or invalid_input naming the field. */
export function readSaved({ name, description, tags, deleted }: SavedRequest): SavedChanges {
  if (description != null) requireLength("description", description, MAX_DESCRIPTION_LENGTH)
  return {
    ...(name != null && { name: requireName("name", name, MAX_NAME_LENGTH) }),
    ...(description != null && { description: toStorableText(description) }),
    ...(tags != null && { tags: readTags("tags", tags) }),
    ...(deleted != null && { deleted }),
  }
}

/** The conditions of a list, those about the caller as conditions about that user. @throws AppError 401 without one. */
export function readSavedFilter(
  { search, tags, createdBy, mine, isFavourite }: SavedFilterInput,
  context: RequestContext,
): SavedFilter {
  const caller = () => requireCaller(context).userId
  const creator = mine === true ? caller() : createdBy == null ? undefined : asUserId(createdBy)
  return {
    search: search ?? undefined,
    tags: tags ?? undefined,
    createdBy: creator,
    favouriteOf: isFavourite === true ? caller() : undefined,
  }
}
