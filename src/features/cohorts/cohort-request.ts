import { AppError } from "../../kernel/errors.js"
import { toStorableJson, toStorableText } from "../../kernel/json.js"
import type { CohortChanges, CohortRequest } from "./cohorts.types.js"

const MAX_NAME_LENGTH = 400
const MAX_MEMBERS_PER_CALL = 10_000

/**
 * Refuses a list of members where there can be none, or too long a one.
 * @param attr field that the first of these faults names.
 * @throws AppError invalid_input, max_length.
 */
export function checkMembers(isStatic: boolean, distinctIds: readonly string[], attr: string): void {
  if (!isStatic)
    throw new AppError("invalid_input", { attr, detail: "Members can be listed only for a static cohort." })
  if (distinctIds.length <= MAX_MEMBERS_PER_CALL) return
  const detail = `Ensure this field has no more than ${MAX_MEMBERS_PER_CALL} entries.`
  throw new AppError("max_length", { attr: "distinct_ids", detail })
}

/** What a request changes, in the form that is stored. @throws AppError null, blank, max_length. */
export function readChanges({ name, description, filters, deleted }: CohortRequest): CohortChanges {
  if (name === null) throw new AppError("null", { attr: "name" })
  if (name !== undefined && name.trim() === "") throw new AppError("blank", { attr: "name" })
  if (name !== undefined && name.length > MAX_NAME_LENGTH)
    throw new AppError("max_length", {
      attr: "name",
      detail: `Ensure this field has no more than ${MAX_NAME_LENGTH} characters.`,
    })
  return {
    ...(name !== undefined && { name: toStorableText(name) }),
    ...(description != null && { description: toStorableText(description) }),
    ...(filters != null && { filters: toStorableJson(filters) }),
    ...(deleted != null && { deleted }),
  }
}
