import { type EntityManager, LockMode, UniqueConstraintViolationException } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { MembershipEntity, recordActivity, UserEntity } from "../../access/index.js"
import { addSession, recordAccountActivity, type SessionToStore } from "../sessions/session.repository.js"
import { LinkEntity, PasswordEntity, SessionEntity } from "../sign-in.entity.js"

/** Processes that are started together, and people who have two links, wait for each other under this name. */
const FIRST_OWNER = "waymark first owner"
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Who claims the first owner's account. */
export interface FirstOwner {
  readonly linkHash: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
}

/** A link with a token of this hash. */
interface LinkToStore {
  readonly hash: string
  readonly expiresAt: Date
}

export type PasswordRepository = ReturnType<typeof createPasswordRepository>

/** Passwords and one-time links in PostgreSQL. Every change writes the audit log in the same transaction. */
export function createPasswordRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const setPassword = async (em: EntityManager, user: UserEntity, hash: string, changedAt: Date): Promise<void> => {
    const known = await em.findOne(PasswordEntity, { user }, LOCKED)
    if (known === null) em.create(PasswordEntity, { user, hash, changedAt })
    else em.assign(known, { hash, changedAt })
  }
  return {
    hasAny: (): Promise<boolean> =>
      records.read(async (em) => (await em.find(PasswordEntity, {}, { limit: 1 })).length > 0),
    findUser: (id: UserId) => records.read((em) => em.findOne(UserEntity, id)),
    findUserByEmail: (email: string) => records.read((em) => em.findOne(UserEntity, { email, isActive: true })),
    /** Null for a user who has none. */
    findHash: (user: UserId) => records.read(async (em) => (await em.findOne(PasswordEntity, { user }))?.hash ?? null),
    /** Stores a link for whoever is to be the first owner; the ones that have ended are removed. */
    addFirstOwnerLink: (hash: string, expiresAt: Date, now: Date) =>
      records.write(async (em) => {
        await em.nativeDelete(LinkEntity, { expiresAt: { $lte: now } })
        em.create(LinkEntity, { hash, purpose: "first owner", user: null, expiresAt })
      }),
    /** Whether a link makes the first owner: asked before the work of hashing a password. */
    isFirstOwnerLink: (hash: string, now: Date): Promise<boolean> =>
      records.read(async (em) => (await em.findOne(LinkEntity, toFirstOwnerLink(hash, now))) !== null),
    /** Gives the oldest owner this name, address and password, once. Null when the link is not good any more. */
    claimFirstOwner: async (
      { linkHash, email, name, passwordHash }: FirstOwner,
      session: SessionToStore,
      now: Date,
    ) => {
      try {
        return await records.writeExclusively(FIRST_OWNER, async (em) => {
          const link = await em.findOne(LinkEntity, toFirstOwnerLink(linkHash, now))
          if (link === null || (await em.count(PasswordEntity)) > 0) return null
          const [owner] = await em.find(
            MembershipEntity,
            { role: "owner" },
            { populate: ["user"], orderBy: { createdAt: "asc", user: { id: "asc" } }, limit: 1 },
          )
          if (owner === undefined) return null
          em.assign(owner.user, { email, firstName: name, lastName: "" })
          await setPassword(em, owner.user, passwordHash, now)
          await em.nativeDelete(LinkEntity, { purpose: "first owner" })
          recordAccountActivity(em, ids, owner.user, "password set", now)
          return addSession(em, ids, owner.user, session, now)
        })
      } catch (error) {
        if (error instanceof UniqueConstraintViolationException) return "address taken" as const
        throw error
      }
    },
    /** Gives an invited user who is nobody yet a name and a password; false when they have one by now. */
    claimInvited: (userId: UserId, name: string, hash: string, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId, LOCKED)
        if ((await em.count(PasswordEntity, { user })) > 0) return false
        em.assign(user, { firstName: name, lastName: "" })
        em.create(PasswordEntity, { user, hash, changedAt: now })
        recordAccountActivity(em, ids, user, "password set", now)
        return true
      }),
    /** Changes a password and ends every other session of the user; answers how many. */
    change: (userId: UserId, hash: string, keptSessionId: string | null, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId)
        await setPassword(em, user, hash, now)
        const others = keptSessionId === null ? {} : { id: { $ne: keptSessionId } }
        recordAccountActivity(em, ids, user, "password changed", now)
        return em.nativeDelete(SessionEntity, { user, ...others })
      }),
    /**
     * Stores a link with which a user sets another password; the audit logs of all their organizations say so.
     * @param by null when it is whoever runs the server.
     */
    addResetLink: (userId: UserId, link: LinkToStore, by: UserId | null, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId, { populate: ["memberships"] })
        em.create(LinkEntity, { ...link, purpose: "reset password", user })
        const what = { scope: "User", itemId: user.uuid, activity: "reset link made", changes: { email: user.email } }
        for (const { organization } of user.memberships) {
          const place = { id: ids.uuidV7(), projectId: null, organizationId: organization.id, userId: by }
          recordActivity(em, { ...what, ...place, createdAt: now })
        }
      }),
    /** Whose password a link resets; null when it is not good any more. */
    findResetUser: (hash: string, now: Date) =>
      records.read(async (em) => {
        return (await em.findOne(LinkEntity, toResetLink(hash, now), { populate: ["user"] }))?.user ?? null
      }),
    /** Sets a password, ends every session and every link of the user. Null when the link is not good any more. */
    reset: (linkHash: string, passwordHash: string, session: SessionToStore, now: Date) =>
      records.write(async (em) => {
        const link = await em.findOne(LinkEntity, toResetLink(linkHash, now), { populate: ["user"] })
        const user = link?.user ?? null
        if (user === null || (await em.nativeDelete(LinkEntity, { hash: linkHash })) === 0) return null
        await setPassword(em, user, passwordHash, now)
        await em.nativeDelete(LinkEntity, { user })
        await em.nativeDelete(SessionEntity, { user })
        recordAccountActivity(em, ids, user, "password reset", now)
        return addSession(em, ids, user, session, now)
      }),
  }
}

const toFirstOwnerLink = (hash: string, now: Date) =>
  ({ hash, purpose: "first owner", expiresAt: { $gt: now } }) as const

const toResetLink = (hash: string, now: Date) => ({ hash, purpose: "reset password", expiresAt: { $gt: now } }) as const
