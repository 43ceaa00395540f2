import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { CredentialKind, Principal } from "../../../kernel/request-context.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { CredentialSource, CredentialSources, CredentialStore, KeyGrant, Member } from "../access.types.js"
import { hashSecret, isPersonalKeyText, isProjectSecretText, isSameHash, toCredentialKind } from "../keys/key-secret.js"
import { createCredentialMemory } from "./credential-memory.cache.js"
import { type Credential, findCredential } from "./find-credential.js"

const TOUCH_EVERY_MS = 3_600_000

/** Outcome of looking at a request's credentials; its fields go into the RequestContext as they are. */
export interface Authentication {
  readonly principal: Principal | null
  readonly authenticationFault: "absent" | "invalid" | null
  readonly credentialSource: CredentialSource | null
  readonly credentialKind: CredentialKind | null
  readonly secretProjectId: ProjectId | null
}

/** Turns the credentials of requests into principals, from memory where it can. */
export interface Authenticator {
  /** @throws AppError store_unavailable when the key is not in memory and PostgreSQL does not answer. */
  authenticate(sources: CredentialSources): Promise<Authentication>
  /** A user's standing, at most 20 s old; null for an unknown user. */
  memberOf(userId: UserId): Promise<Member | null>
  /** Forgets everything remembered; called when keys, users or memberships change anywhere. */
  forget(): void
  /** Resolves when no `last_used_at` is being written. */
  settle(): Promise<void>
}

export interface AuthenticatorDependencies {
  readonly repository: CredentialStore
  readonly clock: Clock
  readonly logger: Logger
}

/** Makes the one place that turns personal keys into principals. */
export function createAuthenticator({ repository, clock, logger }: AuthenticatorDependencies): Authenticator {
  const known = createCredentialMemory(repository, clock)
  const touches = createTouches({ repository, clock, logger })

  const validGrant = async (value: string): Promise<KeyGrant | null> => {
    if (!isPersonalKeyText(value)) return null
    const hash = hashSecret(value)
    const grant = await known.key(hash)
    if (grant === null || !isSameHash(grant.hash, hash)) return null
    if (grant.expiresAtMs !== null && grant.expiresAtMs <= clock.now()) return null
    const member = await known.member(grant.userId)
    return member?.isActive === true ? grant : null
  }

  return {
    authenticate: async (sources) => {
      const credential = findCredential(sources)
      if (credential === null) return NO_CREDENTIAL
      const found = foundOf(credential)
      if (isProjectSecretText(credential.value)) {
        const secretProjectId = await known.secret(hashSecret(credential.value))
        return secretProjectId === null ? found : { ...found, authenticationFault: null, secretProjectId }
      }
      const grant = await validGrant(credential.value)
      if (grant === null) return found
      touches.touch(grant)
      return { ...found, principal: toPrincipal(grant), authenticationFault: null }
    },
    memberOf: known.member,
    forget: known.forget,
    settle: touches.settle,
  }
}

const NO_CREDENTIAL: Authentication = {
  principal: null,
  authenticationFault: "absent",
  credentialSource: null,
  credentialKind: null,
  secretProjectId: null,
}

/** What is known of a credential before it has proven to be a good one. */
const foundOf = ({ value, source }: Credential): Authentication => ({
  principal: null,
  authenticationFault: "invalid",
  credentialSource: source,
  credentialKind: toCredentialKind(value),
  secretProjectId: null,
})

function toPrincipal({ userId, keyId, scopes, projectIds, organizationIds }: KeyGrant): Principal {
  return { userId, keyId, scopes, projectIds, organizationIds }
}

/** Writes down that a key was used: off the request's path, at most once an hour for each key. */
function createTouches({ repository, clock, logger }: AuthenticatorDependencies) {
  const touchedAtMs = new Map<string, number>()
  const pending = new Set<Promise<void>>()

  const write = async (keyId: string, nowMs: number): Promise<void> => {
    try {
      await repository.touchKey(keyId, nowMs, nowMs - TOUCH_EVERY_MS)
    } catch (err) {
      touchedAtMs.delete(keyId)
      logger.warn("could not write when a personal key was last used", { keyId, err })
    }
  }
  return {
    touch: ({ keyId, lastUsedAtMs }: KeyGrant): void => {
      const nowMs = clock.now()
      const lastMs = Math.max(lastUsedAtMs ?? 0, touchedAtMs.get(keyId) ?? 0)
      if (nowMs - lastMs < TOUCH_EVERY_MS) return
      touchedAtMs.set(keyId, nowMs)
      const written = write(keyId, nowMs).finally(() => pending.delete(written))
      pending.add(written)
    },
    settle: async (): Promise<void> => {
      await Promise.all(pending)
    },
  }
}
