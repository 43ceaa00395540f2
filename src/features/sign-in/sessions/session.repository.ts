import type { EntityManager } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { recordActivity, UserEntity } from "../../access/index.js"
import { SessionEntity } from "../sign-in.entity.js"

/** A session to be stored. */
export interface SessionToStore {
  readonly id: string
  readonly hash: string
  readonly userAgent: string
  readonly expiresAt: Date
}

/** What somebody did to their own account, in the words of the audit log. */
export type AccountActivity =
  | "signed in"
  | "signed out"
  | "session revoked"
  | "password set"
  | "password changed"
  | "password reset"
  | "second factor added"
  | "second factor removed"
  | "recovery code used"

export type SessionRepository = ReturnType<typeof createSessionRepository>

/** Sessions of browsers in PostgreSQL. Every change writes the audit log in the same transaction. */
export function createSessionRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const end = (
    where: { readonly hash: string } | { readonly id: string; readonly user: UserId },
    activity: AccountActivity,
    now: Date,
  ) =>
    records.write(async (em) => {
      const session = await em.findOne(SessionEntity, where, { populate: ["user"] })
      if (session === null) return false
      recordAccountActivity(em, ids, session.user, activity, now)
      em.remove(session)
      return true
    })
  return {
    /** Live sessions of a user, the newest first. */
    list: (user: UserId, now: Date) =>
      records.read((em) =>
        em.find(SessionEntity, { user, expiresAt: { $gt: now } }, { orderBy: { createdAt: "desc", id: "desc" } }),
      ),
    begin: (userId: UserId, session: SessionToStore, now: Date) =>
      records.write(async (em) => addSession(em, ids, await em.findOneOrFail(UserEntity, userId), session, now)),
    /** Ends the session of a token with this hash; false when there is none. */
    signOut: (hash: string, now: Date): Promise<boolean> => end({ hash }, "signed out", now),
    /** Ends one of a user's own sessions; false when they have no such one. */
    revoke: (user: UserId, id: string, now: Date): Promise<boolean> => end({ id, user }, "session revoked", now),
  }
}

/** Adds a session to the unit of work of `em`, and removes those of the user that have ended by time. */
export async function addSession(
  em: EntityManager,
  ids: Pick<Ids, "uuidV7">,
  user: UserEntity,
  session: SessionToStore,
  now: Date,
): Promise<UserEntity> {
  await em.nativeDelete(SessionEntity, { user, expiresAt: { $lte: now } })
  em.create(SessionEntity, { ...session, user, createdAt: now, lastUsedAt: now })
  recordAccountActivity(em, ids, user, "signed in", now)
  return user
}

/** Notes in the audit log what a user did to their own account. */
export function recordAccountActivity(
  em: EntityManager,
  ids: Pick<Ids, "uuidV7">,
  { id: userId, uuid: itemId }: Pick<UserEntity, "id" | "uuid">,
  activity: AccountActivity,
  now: Date,
): void {
  const place = { id: ids.uuidV7(), projectId: null, organizationId: null, userId }
  recordActivity(em, { ...place, scope: "User", itemId, activity, changes: {}, createdAt: now })
}
