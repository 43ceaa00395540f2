import { AppError } from "../../../kernel/errors.js"
import { asOrganizationId, asProjectId, isUuid } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import { grants, isKnownScope } from "../scopes.js"
import type { CreatePersonalApiKeyArgs } from "./personal-key.graphql.js"
import type { KeyBounds } from "./personal-key.types.js"

export const MAX_LABEL_LENGTH = 40
/** Live personal keys that one user may have. */
export const MAX_KEYS_OF_USER = 10
/** A week: long enough to roll out a new value everywhere, short enough that a leaked old one dies. */
export const MAX_OVERLAP_SECONDS = 604_800

/**
 * Reads scopes and bindings; an empty binding means no binding (`docs/contract/management.md#keys`).
 * @throws AppError invalid_input naming the field at fault.
 */
export function checkBounds({
  scopes,
  projectIds,
  organizationIds,
}: Omit<CreatePersonalApiKeyArgs, "label">): KeyBounds {
  if (scopes.length === 0) throw invalid("scopes", "A key needs at least one scope.")
  const unknown = scopes.find((scope) => !isKnownScope(scope))
  if (unknown !== undefined) throw invalid("scopes", `Invalid scope: ${unknown}`)
  const malformed = organizationIds?.find((id) => !isUuid(id))
  if (malformed !== undefined) throw invalid("organization_ids", `${malformed} is not the id of an organization.`)
  return {
    scopes: [...new Set(scopes)],
    projectIds: unlessEmpty(projectIds?.map(asProjectId)),
    organizationIds: unlessEmpty(organizationIds?.map((id) => asOrganizationId(id.toLowerCase()))),
  }
}

/**
 * A key never hands out more than it may do itself; else a narrow key could make itself a wide one.
 * @throws AppError permission_denied.
 */
export function requireWithin(bounds: KeyBounds, principal: Principal): void {
  const beyond = bounds.scopes.find((scope) => !grants(principal.scopes, scope))
  if (beyond !== undefined) throw denied(`A key cannot hand out the scope '${beyond}', which it does not have.`)
  if (!isBoundWithin(bounds, principal))
    throw denied("A key that is bound to projects or organizations cannot hand out access beyond them.")
}

type Bindings = Pick<KeyBounds, "projectIds" | "organizationIds">

/** Whether a key reaches no project and no organization that another one does not. */
export const isBoundWithin = (inner: Bindings, outer: Bindings): boolean =>
  isSubset(inner.projectIds, outer.projectIds) && isSubset(inner.organizationIds, outer.organizationIds)

/** `null` stands for everything. */
function isSubset<T>(inner: readonly T[] | null, outer: readonly T[] | null): boolean {
  return outer === null || inner?.every((item) => outer.includes(item)) === true
}

const unlessEmpty = <T>(items: readonly T[] | undefined): readonly T[] | null =>
  items === undefined || items.length === 0 ? null : [...new Set(items)]
const invalid = (attr: string, detail: string): AppError => new AppError("invalid_input", { attr, detail })
const denied = (detail: string): AppError => new AppError("permission_denied", { detail })
