import { type EntityManager, LockMode } from "@mikro-orm/postgresql"
import type { UserId } from "../../../kernel/ids.js"
import type { Ids } from "../../../platform/ids/ids.js"
import type { Database } from "../../../platform/postgres/database.types.js"
import { whenReachable } from "../../../platform/postgres/when-reachable.js"
import { PersonalKeyEntity, PersonalKeySecretEntity, UserEntity } from "../access.entity.js"
import { recordActivity } from "../activity/activity.log.js"
import type { NewPersonalKey, PersonalKey, PersonalKeyRepository } from "./personal-key.types.js"

/** Personal keys in PostgreSQL. */
export function createPersonalKeyRepository({ orm }: Pick<Database, "orm">, ids: Ids): PersonalKeyRepository {
  const inTransaction = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> =>
    whenReachable(() => orm.em.fork().transactional(work))
  const record = (em: EntityManager, key: PersonalKeyEntity, activity: string, now: Date): void => {
    const { id: itemId, userId, label } = key
    const place = { id: ids.uuidV7(), projectId: null, organizationId: null, userId }
    recordActivity(em, { ...place, scope: "PersonalApiKey", itemId, activity, changes: { label }, createdAt: now })
  }

  return {
    list: (userId, now) =>
      whenReachable(async () => {
        const where = { userId, revokedAt: null }
        const found = await orm.em
          .fork()
          .find(PersonalKeyEntity, where, { populate: ["secrets"], orderBy: { createdAt: "asc", id: "asc" } })
        return found.map((key) => toPersonalKey(key, now))
      }),
    insert: (key, now, maxLive) =>
      inTransaction(async (em) => {
        await em.findOneOrFail(UserEntity, key.userId, { lockMode: LockMode.PESSIMISTIC_WRITE })
        const live = await em.count(PersonalKeyEntity, { userId: key.userId, revokedAt: null })
        if (live >= maxLive) return null
        const created = addPersonalKey(em, key, now)
        record(em, created, "created", now)
        return toPersonalKey(created, now)
      }),
    replaceSecret: ({ userId, keyId, secret, previousExpiresAt }, now) =>
      inTransaction(async (em) => {
        const key = await findLive(em, userId, keyId)
        if (key === null) return null
        endOlderSecrets(key, now, previousExpiresAt)
        key.secrets.add(em.create(PersonalKeySecretEntity, { ...secret, key, createdAt: now }))
        record(em, key, "rolled", now)
        return toPersonalKey(key, now)
      }),
    revoke: (userId, keyId, now) =>
      inTransaction(async (em) => {
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
  const lists = {
    scopes: [...scopes],
    projectIds: projectIds === null ? null : [...projectIds],
    organizationIds: organizationIds === null ? null : [...organizationIds],
  }
  const created = em.create(PersonalKeyEntity, { ...rest, ...lists, createdAt: now })
  created.secrets.add(em.create(PersonalKeySecretEntity, { ...secret, key: created, createdAt: now }))
  em.persist(created)
  return created
}

async function findLive(em: EntityManager, userId: UserId, id: string): Promise<PersonalKeyEntity | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE }
  const key = await em.findOne(PersonalKeyEntity, { id, userId, revokedAt: null }, lock)
  await key?.secrets.load({ orderBy: { createdAt: "asc", id: "asc" } })
  return key
}

/** The newest value may go on until `newestExpiresAt`, all older ones end now: never more than two values are live. */
function endOlderSecrets(key: PersonalKeyEntity, now: Date, newestExpiresAt: Date): void {
  const secrets = key.secrets.getItems()
  for (const [index, secret] of secrets.entries()) {
    const limit = index === secrets.length - 1 ? newestExpiresAt : now
    if (secret.expiresAt == null || secret.expiresAt > limit) secret.expiresAt = limit
  }
}

function toPersonalKey(key: PersonalKeyEntity, now: Date): PersonalKey {
  const secrets = key.secrets.getItems()
  const previousEnd = secrets.at(-2)?.expiresAt ?? null
  return {
    id: key.id,
    userId: key.userId,
    label: key.label,
    maskedValue: secrets.at(-1)?.hint ?? "",
    scopes: key.scopes,
    projectIds: key.projectIds ?? null,
    organizationIds: key.organizationIds ?? null,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt ?? null,
    lastRolledAt: secrets.length > 1 ? (secrets.at(-1)?.createdAt ?? null) : null,
    previousValueExpiresAt: previousEnd !== null && previousEnd > now ? previousEnd : null,
  }
}
