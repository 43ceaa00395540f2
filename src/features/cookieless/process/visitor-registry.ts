import type { ProjectVisit, Visitor, VisitorIdentity, VisitorKey } from "../cookieless.types.js"
import { toSessionId, toVisitorId } from "./visitor-ids.js"

/** A session ends when nothing has come for so long (`docs/contract/capture.md#visitors-without-cookies`). */
const SESSION_TIMEOUT_MS = 30 * 60_000

/** A visit with the salt of its day and the id that its browser has on that day. */
export interface SaltedVisit {
  readonly visit: ProjectVisit
  readonly salt: Uint8Array
  readonly deviceId: string
}

/** Adds the salt of the visit's day and the visitor's id under it. @throws Error when the salts lack that day. */
export const toSaltedVisit = (visit: ProjectVisit, salts: ReadonlyMap<string, Uint8Array>): SaltedVisit => {
  const salt = salts.get(visit.day)
  if (salt === undefined) throw new Error(`the store has no salt for ${visit.day}`)
  return { visit, salt, deviceId: toVisitorId(salt, visit, 0) }
}

/** What the row of a visitor is found by. */
export const toVisitorKey = ({ visit, deviceId }: SaltedVisit): VisitorKey => ({
  projectId: visit.projectId,
  day: visit.day,
  deviceId,
})

/**
 * Identifies the visitors of visits, in the order of the log. Pure: the same visits after the same visitors give the same ids, which is
 * what makes the replay of a batch harmless.
 */
export class VisitorRegistry {
  private readonly visitors: Map<string, Visitor>
  private readonly changed = new Map<string, Visitor>()

  /** @param known visitors as they were saved before these visits. */
  constructor(known: readonly Visitor[]) {
    this.visitors = new Map(known.map((visitor) => [toMapKey(visitor), visitor]))
  }

  identify(salted: SaltedVisit): VisitorIdentity {
    const { visit, salt, deviceId } = salted
    if (visit.isStateless) return { distinctId: deviceId, deviceId, sessionId: toDaySession(salted) }
    const key = toVisitorKey(salted)
    const text = toMapKey(key)
    const visitor = this.visitors.get(text) ?? null
    const logins = visitor?.logins ?? 0
    const next = {
      ...key,
      logins: logins + (visit.isLogin ? 1 : 0),
      sessionId: continuedSession(visitor, visit) ?? toSessionId(salt, deviceId, visit.timestampMs),
      lastSeenMs: Math.max(visitor?.lastSeenMs ?? visit.timestampMs, visit.timestampMs),
    }
    this.visitors.set(text, next)
    this.changed.set(text, next)
    const distinctId = logins === 0 ? deviceId : toVisitorId(salt, visit, logins)
    return { distinctId, deviceId, sessionId: next.sessionId }
  }

  /** What is to be saved. */
  changes(): readonly Visitor[] {
    return [...this.changed.values()]
  }
}

/** The session that goes on; null when a new one begins. An event that arrives late belongs to the one that is known. */
const continuedSession = (visitor: Visitor | null, { timestampMs }: ProjectVisit): string | null =>
  visitor === null || timestampMs - visitor.lastSeenMs > SESSION_TIMEOUT_MS ? null : visitor.sessionId

/** Where nothing is kept, everything that a browser does in a day is one session. */
const toDaySession = ({ visit, salt, deviceId }: SaltedVisit): string =>
  toSessionId(salt, deviceId, Date.parse(visit.day))

const toMapKey = ({ projectId, day, deviceId }: VisitorKey): string => `${projectId} ${day} ${deviceId}`
