import { type EntityManager, LockMode, UniqueConstraintViolationException } from "@mikro-orm/postgresql"
import type { OrganizationId, UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { InvitationEntity, MembershipEntity, PersonalKeyEntity, UserEntity } from "../access.entity.js"
import { addPersonalKey } from "../keys/personal-key.repository.js"
import { recordActivity } from "../record-activity.repository.js"
import type { OrganizationInvitation } from "./member.graphql.js"
import { addUser } from "./user.repository.js"
import type { Acceptance, Invitation, InvitedPerson } from "./user.types.js"

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Invitations at rest. Changes write the audit log in the same transaction. */
export type InvitationRepository = ReturnType<typeof createInvitationRepository>

/** Invitations in PostgreSQL. */
export function createInvitationRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (
    em: EntityManager,
    { uuid, email }: UserEntity,
    change: { activity: string; organizationId: OrganizationId; role: string; by: UserId; now: Date },
  ): void => {
    const { activity, organizationId, role, by, now } = change
    const what = { scope: "OrganizationMember", itemId: uuid, activity, changes: { email, role } }
    recordActivity(em, { ...what, id: ids.uuidV7(), projectId: null, organizationId, userId: by, createdAt: now })
  }

  /** A new user with a key joins at once; everybody else is asked, and asked again under a new token. */
  const invite = async (em: EntityManager, invitation: Invitation, now: Date) => {
    const { organizationId: organization, role, invitedBy: by, tokenHash: hash, expiresAt } = invitation
    const known = await em.findOne(UserEntity, { email: invitation.user.email })
    if (known !== null && (await em.count(MembershipEntity, { organization, user: known })) > 0)
      return "already a member" as const
    const user = known ?? (await addUser(em, invitation.user, now))
    const firstKey = known === null ? invitation.firstKey : null
    if (firstKey !== null) {
      em.create(MembershipEntity, { organization, user, role, createdAt: now })
      addPersonalKey(em, { ...firstKey, userId: user.id }, now)
    } else {
      const asked = await em.findOne(InvitationEntity, { organization, user }, LOCKED)
      if (
        asked?.role === "owner" &&
        (await em.count(MembershipEntity, { organization, user: by, role: "owner" })) === 0
      )
        return "of an owner" as const
      const terms = { role, hash, createdAt: now, expiresAt }
      if (asked === null) em.create(InvitationEntity, { organization, user, ...terms })
      else em.assign(asked, terms)
    }
    record(em, user, { activity: "invited", organizationId: organization, role, by, now })
    return { hasJoined: firstKey !== null, isKnown: known !== null, user }
  }

  return {
    invite: async (invitation: Invitation, now: Date) => {
      try {
        return await records.write((em) => invite(em, invitation, now))
      } catch (error) {
        // Somebody invited the same address at the same time and was first.
        if (error instanceof UniqueConstraintViolationException) return "already a member" as const
        throw error
      }
    },
    /** Invitations to an organization that are good, the newest first. */
    list: (organization: OrganizationId, now: Date, limit: number) =>
      records.read(async (em): Promise<OrganizationInvitation[]> => {
        const found = await em.find(
          InvitationEntity,
          { organization, expiresAt: { $gt: now } },
          { populate: ["user"], orderBy: { createdAt: "desc", user: { id: "asc" } }, limit },
        )
        return found.map(({ user: { id: userNumber, email }, role, createdAt, expiresAt }) => {
          return { userNumber, email, role, createdAt, expiresAt }
        })
      }),
    /** Whom a token of this hash invites; null for one that is not good any more. */
    findInvited: (hash: string, now: Date) =>
      records.read(async (em): Promise<InvitedPerson | null> => {
        const where = { hash, expiresAt: { $gt: now } }
        const invitation = await em.findOne(InvitationEntity, where, { populate: ["user"] })
        if (invitation === null) return null
        const { user } = invitation
        const traces = [
          await em.count(MembershipEntity, { user }),
          await em.count(PersonalKeyEntity, { userId: user.id, revokedAt: null }),
        ]
        return { userId: user.id, email: user.email, isNew: traces.every((count) => count === 0) }
      }),
    /** Makes the user a member; `keyFor` makes the key to add, if any, of the organization. */
    accept: ({ userId, tokenHash, keyFor, maxKeys }: Acceptance, now: Date) =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId, LOCKED)
        const invitation = await em.findOne(
          InvitationEntity,
          { user, hash: tokenHash, expiresAt: { $gt: now } },
          LOCKED,
        )
        if (invitation === null) return "unknown" as const
        const { organization, role } = invitation
        const key = keyFor(organization.id)
        if (key !== null) {
          if ((await em.count(PersonalKeyEntity, { userId, revokedAt: null })) >= maxKeys)
            return "too many keys" as const
          addPersonalKey(em, { ...key, userId }, now)
        }
        em.create(MembershipEntity, { organization, user, role, createdAt: now })
        em.remove(invitation)
        record(em, user, { activity: "joined", organizationId: organization.id, role, by: userId, now })
        return organization.id
      }),
  }
}
