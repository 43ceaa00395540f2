import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
} from "../../../platform/cache/stale-while-revalidate-cache.js"
import type { CredentialStore, KeyGrant, Member } from "../access.types.js"

const FRESH_MS = 20_000
/**
 * What was revoked is refused everywhere within 30 s even when no message arrives, so nothing older is ever answered
 * (`reliability.md` F8). Unknown keys are not cached: one that was just made works at once.
 */
const CACHE_POLICY: CachePolicy = {
  ttlMs: FRESH_MS,
  staleWhileRevalidateMs: FRESH_MS,
  staleIfError: false,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_CACHED = 10_000

/** Keys, secret keys and users. Reads throw AppError store_unavailable for what is not cached while PostgreSQL is away. */
export interface CredentialCache {
  key(hash: string): Promise<KeyGrant | null>
  /** The project of a secret key. */
  secret(hash: string): Promise<ProjectId | null>
  member(userId: UserId): Promise<Member | null>
  /** Drops everything; what is being loaded is answered but not cached. */
  invalidate(): void
}

/** Makes an empty cache over the store. */
export function createCredentialCache(store: CredentialStore, clock: Clock): CredentialCache {
  const options = { cachePolicy: CACHE_POLICY, clock, maxEntries: MAX_CACHED }
  const keys = createStaleWhileRevalidateCache<string, KeyGrant>({ ...options, load: store.findKey })
  const secrets = createStaleWhileRevalidateCache<string, ProjectId>({ ...options, load: store.findProjectSecret })
  const members = createStaleWhileRevalidateCache<UserId, Member>({ ...options, load: store.findMember })
  return {
    key: keys.find,
    secret: secrets.find,
    member: members.find,
    invalidate: () => {
      for (const records of [keys, secrets, members]) records.invalidate(() => true)
    },
  }
}
