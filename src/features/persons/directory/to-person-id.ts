import { AppError } from "../../../kernel/errors.js"
import { asPersonId, isUuid, type PersonId } from "../../../kernel/ids.js"

/** @throws AppError invalid_input naming `attr` when `id` is no UUID. */
export function toPersonId(id: string | undefined, attr = "id"): PersonId {
  if (id !== undefined && isUuid(id)) return asPersonId(id.toLowerCase())
  throw new AppError("invalid_input", {
    attr,
    detail: `${attr} must be the UUID of a person. A person is found by another id with distinctId.`,
  })
}
