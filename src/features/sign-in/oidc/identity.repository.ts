import { LockMode } from "@mikro-orm/postgresql"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import {
  addUser,
  MembershipEntity,
  OrganizationEntity,
  type OrganizationRole,
  recordActivity,
  UserEntity,
} from "../../access/index.js"
import { addSession, type SessionToStore } from "../sessions/session.repository.js"
import { IdentityEntity, PasswordEntity, RecoveryCodeEntity, SessionEntity, TotpEntity } from "../sign-in.entity.js"
import type { Identity } from "./oidc-provider.js"

/** Two browsers of somebody who comes for the first time wait for each other under this name. */
const NEW_IDENTITY = "waymark identity"

/** Somebody whom the provider knows and may come in. */
export interface Arrival extends Identity {
  readonly email: string
  /** Role of a user who is new here; null when there shall be none. */
  readonly newUserRole: OrganizationRole | null
}

export type IdentityRepository = ReturnType<typeof createIdentityRepository>

/** Who users are to the provider, in PostgreSQL. */
export function createIdentityRepository(records: Records, ids: Pick<Ids, "uuidV4" | "uuidV7">) {
  return {
    /**
     * Begins a session of the user whom the provider means: known by subject, else by the verified address, else made. An
     * account that is found by its address was perhaps prepared by somebody else: its password, second factor and sessions
     * end.
     * Null when nobody is known and nobody is to be made, or the user is not active.
     */
    arrive: ({ issuer, subject, email, name, newUserRole }: Arrival, session: SessionToStore, now: Date) =>
      records.writeExclusively(NEW_IDENTITY, async (em) => {
        const known = await em.findOne(IdentityEntity, { issuer, subject }, { populate: ["user"] })
        if (known !== null) return known.user.isActive ? addSession(em, ids, known.user, session, now) : null
        let user = await em.findOne(UserEntity, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (user !== null) {
          if (!user.isActive) return null
          await em.nativeDelete(PasswordEntity, { user })
          await em.nativeDelete(TotpEntity, { user })
          await em.nativeDelete(RecoveryCodeEntity, { user })
          await em.nativeDelete(SessionEntity, { user })
        } else {
          const [organization] = await em.find(
            OrganizationEntity,
            {},
            { orderBy: { createdAt: "asc", id: "asc" }, limit: 1 },
          )
          if (newUserRole === null || organization === undefined) return null
          const names = { email, firstName: name, lastName: "", currentProjectId: null }
          user = await addUser(em, { uuid: ids.uuidV4(), distinctId: ids.uuidV7(), ...names }, now)
          em.create(MembershipEntity, { organization, user, role: newUserRole, createdAt: now })
          recordActivity(em, {
            id: ids.uuidV7(),
            projectId: null,
            organizationId: organization.id,
            userId: user.id,
            scope: "OrganizationMember",
            itemId: user.uuid,
            activity: "joined",
            changes: { email, role: newUserRole },
            createdAt: now,
          })
        }
        em.assign(user, { isEmailVerified: true })
        em.create(IdentityEntity, { issuer, subject, user, createdAt: now })
        return addSession(em, ids, user, session, now)
      }),
  }
}
