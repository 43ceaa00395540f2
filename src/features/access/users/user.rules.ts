import { AppError } from "../../../kernel/errors.js"
import { asProjectId } from "../../../kernel/ids.js"
import { isJsonObject, toStorableJson, toStorableText } from "../../../kernel/json.js"
import { requireLength } from "../../../kernel/text-length.js"
import type { UpdateMeArgs } from "./me.graphql.js"
import type { UserChanges } from "./user.types.js"

export const MAX_NAME_LENGTH = 150
/** Longest address that mail can carry (RFC 5321 with erratum 1690). */
const MAX_EMAIL_LENGTH = 254
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Reads a name that may be empty or absent. @throws AppError max_length naming `attr`. */
export function checkOptionalName(name: string | null | undefined, attr: string): string {
  const text = toStorableText(name ?? "").trim()
  requireLength(attr, text, MAX_NAME_LENGTH)
  return text
}

/** Kept in lower case, so that an address is one user. @throws AppError invalid_input naming `email`. */
export function checkEmail(email: string): string {
  const text = toStorableText(email).trim().toLowerCase()
  if (text.length > MAX_EMAIL_LENGTH || !EMAIL.test(text))
    throw new AppError("invalid_input", { attr: "email", detail: "email must be an e-mail address." })
  return text
}

/** Reads what somebody wants to change about themselves. @throws AppError naming the field at fault. */
export function checkChanges({ firstName, lastName, ...request }: UpdateMeArgs): UserChanges {
  const { roleAtOrganization, hedgehogConfig, currentProjectId } = request
  if (hedgehogConfig != null && !isJsonObject(hedgehogConfig))
    throw new AppError("invalid_input", { attr: "hedgehog_config", detail: "hedgehog_config must be an object." })
  return {
    ...(firstName == null ? {} : { firstName: checkOptionalName(firstName, "first_name") }),
    ...(lastName == null ? {} : { lastName: checkOptionalName(lastName, "last_name") }),
    ...(roleAtOrganization == null
      ? {}
      : { roleAtOrganization: checkOptionalName(roleAtOrganization, "role_at_organization") }),
    ...(hedgehogConfig === undefined
      ? {}
      : { hedgehogConfig: hedgehogConfig === null ? null : toStorableJson(hedgehogConfig) }),
    ...(currentProjectId == null ? {} : { currentProjectId: asProjectId(currentProjectId) }),
  }
}
