import type { Clock } from "../../../kernel/clock.js"
import { createStaleWhileRevalidateCache } from "../../../platform/cache/stale-while-revalidate-cache.js"
import { REVOCABLE } from "../../access/index.js"
import type { SessionStore, StoredSession } from "./session.store.js"

const MAX_CACHED = 10_000

/** Makes an empty cache of sessions by their hashes. What has ended is refused everywhere as soon as revoked keys are. */
export const createSessionCache = (store: Pick<SessionStore, "find">, clock: Clock) =>
  createStaleWhileRevalidateCache<string, StoredSession>({
    load: store.find,
    cachePolicy: REVOCABLE,
    clock,
    maxEntries: MAX_CACHED,
  })
