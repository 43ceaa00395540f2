import { type EntityManager, LockMode, wrap } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Records } from "../../../platform/postgres/records.js"
import { PersonalKeyEntity, PersonalKeySecretEntity, UserEntity } from "../access.entity.js"
import { recordActivity } from "../record-activity.repository.js"
import type { NewPersonalKey, PersonalKey, StoredSecret } from "./personal-key.types.js"

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Personal keys at rest. Every change writes the audit log in the same transaction. */
export type PersonalKeyRepository = ReturnType<typeof createPersonalKeyRepository>

/** Personal keys in PostgreSQL. */
export function createPersonalKeyRepository(records: Records, ids: Pick<Ids, "uuidV7">) {
  const record = (em: EntityManager, key: PersonalKeyEntity, activity: string, now: Date): void => {
    const { id: itemId, userId, label } = key
    const place = { id: ids.uuidV7(), projectId: null, organizationId: null, userId }
    recordActivity(em, { ...place, scope: "PersonalApiKey", itemId, activity, changes: { label }, createdAt: now })
  }

  return {
    /** Live keys of a user, oldest first. */
    list: (userId: UserId, now: Date) =>
      records.read(async (em) => {
        const order = { orderBy: { createdAt: "asc", id: "asc" } } as const
        const found = await em.find(PersonalKeyEntity, { userId, revokedAt: null }, { populate: ["secrets"], ...order })
        return found.map((key) => toPersonalKey(key, now))
      }),
    /** Stores a key; null when the user has `maxLive` live keys already. Safe against concurrent creation. */
    insert: (key: NewPersonalKey, now: Date, maxLive: number) =>
      records.write(async (em) => {
        await em.findOneOrFail(UserEntity, key.userId, LOCKED)
        const live = await em.count(PersonalKeyEntity, { userId: key.userId, revokedAt: null })
        if (live >= maxLive) return null
        const created = addPersonalKey(em, key, now)
        record(em, created, "created", now)
        return toPersonalKey(created, now)
      }),
    /**
     * Makes `secret` the newest value of a live key and lets the value before it live until `previousExpiresAt`; all older
     * values end now. Null when the user has no such live key.
     */
    replaceSecret: (userId: UserId, keyId: string, secret: StoredSecret, previousExpiresAt: Date, now: Date) =>
      records.write(async (em) => {
        const key = await findLive(em, userId, keyId)
        if (key === null) return null
        endOlderSecrets(key, now, previousExpiresAt)
        em.create(PersonalKeySecretEntity, { ...secret, key, createdAt: now, expiresAt: null })
        record(em, key, "rolled", now)
        return toPersonalKey(key, now)
      }),
    /** Ends a key with all its values; null when the user has no such live key. */
    revoke: (userId: UserId, keyId: string, now: Date) =>
      records.write(async (em) => {
        const key = await findLive(em, userId, keyId)
        if (key === null) return null
        key.revokedAt = now
        record(em, key, "revoked", now)
        return toPersonalKey(key, now)
      }),
  }
}

/** Adds a key with its first value to the unit of work of `em`; the caller has checked every rule. */
export function addPersonalKey(em: EntityManager, key: NewPersonalKey, now: Date): PersonalKeyEntity {
  const { secret, scopes, projectIds, organizationIds, ...rest } = key
  const created = em.create(PersonalKeyEntity, {
    ...rest,
    scopes: [...scopes],
    projectIds: projectIds && [...projectIds],
    organizationIds: organizationIds && [...organizationIds],
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  })
  em.create(PersonalKeySecretEntity, { ...secret, key: created, createdAt: now, expiresAt: null })
  return created
}

async function findLive(em: EntityManager, userId: UserId, id: string): Promise<PersonalKeyEntity | null> {
  const key = await em.findOne(PersonalKeyEntity, { id, userId, revokedAt: null }, LOCKED)
  await key?.secrets.load({ orderBy: { createdAt: "asc", id: "asc" } })
  return key
}

/** The newest value may go on until `newestExpiresAt`, all older ones end now: never more than two values are live. */
function endOlderSecrets(key: PersonalKeyEntity, now: Date, newestExpiresAt: Date): void {
  const secrets = key.secrets.getItems()
  for (const [index, secret] of secrets.entries()) {
    const limit = index === secrets.length - 1 ? newestExpiresAt : now
    if (secret.expiresAt === null || secret.expiresAt > limit) secret.expiresAt = limit
  }
}

/** A key as its owner sees it: what is shown of its values stands for the values themselves. */
function toPersonalKey(key: PersonalKeyEntity, now: Date): PersonalKey {
  const { secrets: _values, revokedAt: _end, ...shown } = wrap(key).toPOJO()
  const [newest, previous] = key.secrets.getItems().toReversed()
  const previousEnd = previous?.expiresAt ?? null
  return {
    ...shown,
    maskedValue: newest?.maskedValue ?? "",
    lastRolledAt: previous === undefined ? null : (newest?.createdAt ?? null),
    previousValueExpiresAt: previousEnd !== null && previousEnd > now ? previousEnd : null,
  }
}
