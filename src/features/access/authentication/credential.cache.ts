import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
} from "../../../platform/cache/stale-while-revalidate-cache.js"
import type { KeyGrant, Member } from "../access.types.js"
import type { CredentialStore } from "./credential.store.js"

const FRESH_MS = 20_000
/**
 * What was revoked is refused everywhere within 30 s even when no message arrives, so nothing older is ever answered
 * (`docs/contract/faults.md#revoked-keys`). Unknown keys are not cached: one that was just made works at once.
 */
export const REVOCABLE: CachePolicy = {
  ttlMs: FRESH_MS,
  staleWhileRevalidateMs: FRESH_MS,
  staleIfError: false,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_CACHED = 10_000

/**
 * Makes an empty cache of keys, secret keys and users over the store. Reads throw AppError store_unavailable for what is not
 * cached while PostgreSQL is away.
 */
export function createCredentialCache(store: CredentialStore, clock: Clock) {
  const options = { cachePolicy: REVOCABLE, clock, maxEntries: MAX_CACHED }
  const keys = createStaleWhileRevalidateCache<string, KeyGrant>({ ...options, load: store.findKey })
  const secrets = createStaleWhileRevalidateCache<string, ProjectId>({ ...options, load: store.findProjectSecret })
  const members = createStaleWhileRevalidateCache<UserId, Member>({ ...options, load: store.findMember })
  return {
    findKey: keys.find,
    findProjectSecret: secrets.find,
    findMember: members.find,
    /** Drops everything; what is being loaded is answered but not cached. */
    invalidate: (): void => {
      for (const records of [keys, secrets, members]) records.invalidate(() => true)
    },
  }
}
