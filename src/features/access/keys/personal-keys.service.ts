import { AppError } from "../../../kernel/errors.js"
import type { Principal } from "../../../kernel/request-context.js"
import { requireName } from "../../../kernel/text-length.js"
import type { AccessDependencies } from "../access.types.js"
import { createSecret, PERSONAL_KEY_PREFIX } from "./key-secret.js"
import type { CreatePersonalApiKeyArgs } from "./personal-key.graphql.js"
import type { PersonalKeyRepository } from "./personal-key.repository.js"
import {
  checkBounds,
  isBoundWithin,
  MAX_KEYS_OF_USER,
  MAX_LABEL_LENGTH,
  MAX_OVERLAP_SECONDS,
  requireWithin,
} from "./personal-key.rules.js"
import type { IssuedKey, KeyBounds, PersonalKey } from "./personal-key.types.js"

/** Use cases on a user's own personal keys. Faults are AppErrors naming the field and the rule. */
export type PersonalKeysService = ReturnType<typeof createPersonalKeysService>

/** Makes the use cases of a user's own keys. */
export function createPersonalKeysService(repository: PersonalKeyRepository, dependencies: AccessDependencies) {
  const { clock, ids, announceChange } = dependencies
  const now = () => new Date(clock.now())
  /** Whoever made a key for somebody neither sees nor ends what this user does elsewhere. */
  const list = async (principal: Principal): Promise<PersonalKey[]> =>
    (await repository.list(principal.userId, now())).filter((key) => isBoundWithin(key, principal))
  const find = async (principal: Principal, id: string): Promise<PersonalKey> => {
    const keys = await list(principal)
    return keys.find((key) => key.id === id.toLowerCase()) ?? notFound()
  }

  return {
    list,
    /** The calling key itself. @throws AppError not_found when it was revoked meanwhile. */
    current: (principal: Principal): Promise<PersonalKey> => find(principal, principal.keyId),
    create: async (principal: Principal, request: CreatePersonalApiKeyArgs): Promise<IssuedKey> => {
      const label = requireName("label", request.label, MAX_LABEL_LENGTH)
      const bounds = checkBounds(request)
      requireWithin(bounds, principal)
      await requireReachable(dependencies, principal, bounds)
      const value = ids.secret(PERSONAL_KEY_PREFIX)
      const secret = createSecret(ids, value)
      const wanted = { ...bounds, id: ids.uuidV7(), userId: principal.userId, label, secret }
      const key = await repository.insert(wanted, now(), MAX_KEYS_OF_USER)
      if (key === null)
        throw new AppError("invalid_input", {
          detail: `A user has at most ${MAX_KEYS_OF_USER} personal API keys; revoke one first.`,
        })
      return { ...key, value }
    },
    /** Gives a key a new value; the one before is accepted for `overlapSeconds` more. */
    roll: async (principal: Principal, id: string, overlapSeconds: number): Promise<IssuedKey> => {
      if (overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS)
        throw new AppError("invalid_input", {
          attr: "overlap_seconds",
          detail: `overlap_seconds must be between 0 and ${MAX_OVERLAP_SECONDS}.`,
        })
      const { id: keyId, ...current } = await find(principal, id)
      requireWithin(current, principal)
      const value = ids.secret(PERSONAL_KEY_PREFIX)
      const secret = createSecret(ids, value)
      const previousExpiresAt = new Date(clock.now() + overlapSeconds * 1000)
      const key = await repository.replaceSecret(principal.userId, keyId, secret, previousExpiresAt, now())
      if (key === null) return notFound()
      await announceChange()
      return { ...key, value }
    },
    revoke: async (principal: Principal, id: string): Promise<PersonalKey> => {
      const { id: keyId } = await find(principal, id)
      const key = await repository.revoke(principal.userId, keyId, now())
      await announceChange()
      return key ?? notFound()
    },
  }
}

/** A key is bound only to what its user can see, so that nobody learns of other projects by trying numbers. */
async function requireReachable(
  { findMember, projects }: AccessDependencies,
  { userId }: Principal,
  { projectIds, organizationIds }: KeyBounds,
): Promise<void> {
  const roles = (await findMember(userId))?.roles
  for (const id of organizationIds ?? []) {
    if (roles?.has(id) !== true)
      throw new AppError("does_not_exist", { attr: "organization_ids", detail: `You are in no organization ${id}.` })
  }
  for (const id of projectIds ?? []) {
    const owner = await projects.findOrganizationId(id)
    if (owner === null || roles?.has(owner) !== true)
      throw new AppError("does_not_exist", { attr: "project_ids", detail: `You have access to no project ${id}.` })
  }
}

const notFound = (): never => {
  throw new AppError("not_found")
}
