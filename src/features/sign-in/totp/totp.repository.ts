import { LockMode } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { UserEntity } from "../../access/index.js"
import { recordAccountActivity } from "../sessions/session.repository.js"
import { RecoveryCodeEntity, TotpEntity } from "../sign-in.entity.js"

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** The second factor of a user, as it is stored. */
export interface StoredTotp {
  readonly secret: string
  /** Null while no code has shown that the authenticator has the secret. */
  readonly confirmedAt: Date | null
}

export type TotpRepository = ReturnType<typeof createTotpRepository>

/** Secrets of authenticators and recovery codes in PostgreSQL. Changes write the audit log in the same transaction. */
export function createTotpRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  return {
    /** Null for a user who has none and has begun none. */
    find: (user: UserId): Promise<StoredTotp | null> => records.read((em) => em.findOne(TotpEntity, { user })),
    countRecoveryCodes: (user: UserId): Promise<number> => records.read((em) => em.count(RecoveryCodeEntity, { user })),
    /** Keeps a secret that is to be confirmed, in place of another such one; false when one is confirmed already. */
    begin: (user: UserId, secret: string): Promise<boolean> =>
      records.write(async (em) => {
        const known = await em.findOne(TotpEntity, { user }, LOCKED)
        if (known !== null && known.confirmedAt !== null) return false
        if (known === null) em.create(TotpEntity, { user, secret, confirmedAt: null, lastStep: 0 })
        else em.assign(known, { secret, lastStep: 0 })
        return true
      }),
    /** The secret counts from now on; false when another one took its place meanwhile. */
    confirm: (
      userId: UserId,
      secret: string,
      { step, recoveryHashes }: { readonly step: number; readonly recoveryHashes: readonly string[] },
      now: Date,
    ): Promise<boolean> =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId)
        const begun = await em.findOne(TotpEntity, { user, secret, confirmedAt: null }, LOCKED)
        if (begun === null) return false
        em.assign(begun, { confirmedAt: now, lastStep: step })
        for (const hash of recoveryHashes) em.create(RecoveryCodeEntity, { user, hash })
        recordAccountActivity(em, ids, user, "second factor added", now)
        return true
      }),
    /** Uses up the code of a step and all before; false when it was used already. */
    useStep: (user: UserId, step: number): Promise<boolean> =>
      records.write(async (em) => {
        const used = { user, confirmedAt: { $ne: null }, lastStep: { $lt: step } }
        return (await em.nativeUpdate(TotpEntity, used, { lastStep: step })) > 0
      }),
    /** Uses up a recovery code; false when there is none with this hash. */
    useRecoveryCode: (userId: UserId, hash: string, now: Date): Promise<boolean> =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId)
        if ((await em.nativeDelete(RecoveryCodeEntity, { user, hash })) === 0) return false
        recordAccountActivity(em, ids, user, "recovery code used", now)
        return true
      }),
    /** Turns the second factor off; false when there is none. */
    remove: (userId: UserId, now: Date): Promise<boolean> =>
      records.write(async (em) => {
        const user = await em.findOneOrFail(UserEntity, userId)
        await em.nativeDelete(RecoveryCodeEntity, { user })
        if ((await em.nativeDelete(TotpEntity, { user })) === 0) return false
        recordAccountActivity(em, ids, user, "second factor removed", now)
        return true
      }),
  }
}
