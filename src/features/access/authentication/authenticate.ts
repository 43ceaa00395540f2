import { LRUCache } from "lru-cache"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { CredentialKind, Principal } from "../../../kernel/request-context.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { CredentialSource, CredentialSources, KeyGrant, KeyLookUps } from "../access.types.js"
import { hashSecret, isPersonalKeyText, isProjectSecretText, isSameHash, toCredentialKind } from "../keys/key-secret.js"
import { createCredentialCache } from "./credential.cache.js"
import type { CredentialStore } from "./credential.store.js"
import { findCredential } from "./find-credential.js"
import { createLastUseRecorder } from "./last-use.js"

/** Keys that were valid once, by their hash. */
const MAX_SEEN_KEYS = 100_000

/** Outcome of looking at a request's credentials; its fields go into the RequestContext as they are. */
export interface Authentication {
  readonly principal: Principal | null
  readonly authenticationFault: "absent" | "invalid" | null
  readonly credentialSource: CredentialSource | null
  readonly credentialKind: CredentialKind | null
  readonly secretProjectId: ProjectId | null
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Turns the credentials of requests into principals, from memory where it can. */
export function createAuthenticator(store: CredentialStore, clock: Clock, logger: Logger) {
  const credentials = createCredentialCache(store, clock)
  const seen = new LRUCache<string, true>({ max: MAX_SEEN_KEYS })
  const lastUses = createLastUseRecorder({ what: "a personal key", touch: store.touchKey, clock, logger })

  /** Looks a key up; one that was never seen valid only as often as the caller may try. */
  const lookUp = async <T>(hash: string, find: (hash: string) => Promise<T | null>, lookUps?: KeyLookUps) => {
    const isSeen = seen.has(hash)
    if (!isSeen) lookUps?.admit()
    const found = await find(hash)
    if (found !== null) seen.set(hash, true)
    else if (!isSeen) lookUps?.noteWrong()
    return found
  }

  const findValidGrant = async (value: string, lookUps?: KeyLookUps): Promise<KeyGrant | null> => {
    if (!isPersonalKeyText(value)) return null
    const hash = hashSecret(value)
    const grant = await lookUp(hash, credentials.findKey, lookUps)
    if (grant === null || !isSameHash(grant.hash, hash)) return null
    if (grant.expiresAtMs !== null && grant.expiresAtMs <= clock.now()) return null
    const member = await credentials.findMember(grant.userId)
    return member?.isActive === true ? grant : null
  }

  return {
    /**
     * @throws AppError store_unavailable when the key is not in memory and PostgreSQL does not answer, rate_limited by
     * `lookUps`.
     */
    authenticate: async (sources: CredentialSources, lookUps?: KeyLookUps): Promise<Authentication> => {
      const credential = findCredential(sources)
      if (credential === null) return NO_CREDENTIAL
      const { value, source } = credential
      const invalid: Authentication = {
        principal: null,
        authenticationFault: "invalid",
        credentialSource: source,
        credentialKind: toCredentialKind(value),
        secretProjectId: null,
      }
      if (isProjectSecretText(value)) {
        const secretProjectId = await lookUp(hashSecret(value), credentials.findProjectSecret, lookUps)
        return secretProjectId === null ? invalid : { ...invalid, authenticationFault: null, secretProjectId }
      }
      const grant = await findValidGrant(value, lookUps)
      if (grant === null) return invalid
      lastUses.record(grant.keyId, grant.lastUsedAtMs)
      const { hash: _hash, expiresAtMs: _end, lastUsedAtMs: _last, ...principal } = grant
      return { ...invalid, principal, authenticationFault: null }
    },
    /** A user's standing, at most 20 s old; null for an unknown user. */
    findMember: credentials.findMember,
    /** Drops what is cached; called when keys, users or memberships change anywhere. */
    invalidate: credentials.invalidate,
    /** Resolves when no `last_used_at` is being written. */
    flush: lastUses.flush,
  }
}

const NO_CREDENTIAL: Authentication = {
  principal: null,
  authenticationFault: "absent",
  credentialSource: null,
  credentialKind: null,
  secretProjectId: null,
}
