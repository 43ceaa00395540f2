import type { Clock } from "../../../kernel/clock.js"
import {
  type CachePolicy,
  createStaleWhileRevalidateCache,
} from "../../../platform/cache/stale-while-revalidate-cache.js"
import type { SessionStore, StoredSession } from "./session.store.js"

const FRESH_MS = 20_000
/** As for keys: what has ended is refused everywhere within 30 s even when no message arrives. */
const CACHE_POLICY: CachePolicy = {
  ttlMs: FRESH_MS,
  staleWhileRevalidateMs: FRESH_MS,
  staleIfError: false,
  negativeTtlMs: 0,
  loadTimeoutMs: null,
}
const MAX_CACHED = 10_000

/** Makes an empty cache of sessions by their hashes. */
export const createSessionCache = (store: Pick<SessionStore, "find">, clock: Clock) =>
  createStaleWhileRevalidateCache<string, StoredSession>({
    load: store.find,
    cachePolicy: CACHE_POLICY,
    clock,
    maxEntries: MAX_CACHED,
  })
