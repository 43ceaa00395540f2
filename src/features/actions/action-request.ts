import { AppError } from "../../kernel/errors.js"
import { toStorableText } from "../../kernel/json.js"
import type { ActionChanges, ActionRequest } from "./actions.types.js"
import { readSteps } from "./read-steps.js"

const MAX_NAME_LENGTH = 400
const MAX_DESCRIPTION_LENGTH = 10_000

/** What a request changes, in the form that is stored. @throws AppError null, blank, max_length, invalid_input. */
export function readChanges({ name, description, steps, deleted }: ActionRequest): ActionChanges {
  if (name === null) throw new AppError("null", { attr: "name" })
  if (name !== undefined && name.trim() === "") throw new AppError("blank", { attr: "name" })
  checkLength("name", name, MAX_NAME_LENGTH)
  checkLength("description", description, MAX_DESCRIPTION_LENGTH)
  return {
    ...(name !== undefined && { name: toStorableText(name) }),
    ...(description != null && { description: toStorableText(description) }),
    ...(steps != null && { steps: readSteps(steps) }),
    ...(deleted != null && { deleted }),
  }
}

function checkLength(attr: string, value: string | null | undefined, max: number): void {
  if (value == null || value.length <= max) return
  throw new AppError("max_length", { attr, detail: `Ensure this field has no more than ${max} characters.` })
}
