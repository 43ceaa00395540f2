import type { Clock } from "../../../kernel/clock.js"
import type { UserId } from "../../../kernel/ids.js"
import type { StaleWhileRevalidateCache } from "../../../platform/cache/stale-while-revalidate-cache.js"
import type { Logger } from "../../../platform/logger/logger.js"
import {
  type Authentication,
  createLastUseRecorder,
  hashSecret,
  type KeyLookUps,
  type Member,
} from "../../access/index.js"
import type { SessionStore, StoredSession } from "./session.store.js"

/** A session ends when it was not used for so long. */
export const SESSION_LIVES_MS = 14 * 24 * 3_600_000
/** How every token begins. */
export const SESSION_PREFIX = "pht_"
/** Checked before hashing, so that a huge cookie costs nothing. */
const TOKEN = /^pht_[\w-]{43}$/

export interface SessionDependencies {
  readonly store: SessionStore
  readonly cache: StaleWhileRevalidateCache<string, StoredSession>
  /** A user's standing; null for an unknown user. */
  readonly findMember: (userId: UserId) => Promise<Member | null>
  readonly clock: Clock
  readonly logger: Logger
}

/** Turns the tokens of browsers into principals, from memory where it can. */
export function createSessionAuthenticator({ store, cache, findMember, clock, logger }: SessionDependencies) {
  const lastUses = createLastUseRecorder({
    what: "a session",
    touch: (id, usedAtMs, notAfterMs) => store.touch(id, usedAtMs, usedAtMs + SESSION_LIVES_MS, notAfterMs),
    clock,
    logger,
  })
  const find = async (token: string, lookUps?: KeyLookUps): Promise<StoredSession | null> => {
    if (!TOKEN.test(token)) return null
    const hash = hashSecret(token)
    const isKnown = cache.has(hash)
    if (!isKnown) lookUps?.admit()
    const session = await cache.find(hash)
    if (session === null && !isKnown) lookUps?.noteWrong()
    if (session === null || session.expiresAtMs <= clock.now()) return null
    return (await findMember(session.userId))?.isActive === true ? session : null
  }
  return {
    /** The live session of a token, which counts as used now; null when there is none. */
    use: async (token: string, lookUps?: KeyLookUps): Promise<StoredSession | null> => {
      const session = await find(token, lookUps)
      if (session !== null) lastUses.record(session.id, session.lastUsedAtMs)
      return session
    },
    flush: lastUses.flush,
  }
}

/** The outcome of looking at a session: it has every right that its user has. */
export function toAuthentication(session: StoredSession | null): Authentication {
  const known = { credentialSource: null, credentialKind: "browser session", secretProjectId: null } as const
  if (session === null) return { ...known, principal: null, authenticationFault: "invalid" }
  const { id, userId } = session
  const bounds = { scopes: ["*"], projectIds: null, organizationIds: null }
  return { ...known, principal: { userId, keyId: id, sessionId: id, ...bounds }, authenticationFault: null }
}
