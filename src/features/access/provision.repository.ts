import type { EntityManager } from "@mikro-orm/postgresql"
import { asOrganizationId, type OrganizationId, type ProjectId, type UserId } from "../../kernel/ids.js"
import type { Ids } from "../../platform/ids/ids.js"
import { MembershipEntity, OrganizationEntity, PersonalKeySecretEntity, UserEntity } from "./access.entity.js"
import { createSecret } from "./keys/key-secret.js"
import { addPersonalKey } from "./keys/personal-key.repository.js"
import { addUser } from "./users/user.repository.js"

/** Stores the first organization with its owner, within the transaction of `em`. */
export async function provisionOwner(em: EntityManager, ids: Ids, now: Date) {
  const organizationId = asOrganizationId(ids.uuidV7())
  const organization = em.create(OrganizationEntity, { id: organizationId, name: "My organization", createdAt: now })
  const names = { email: "owner@localhost", firstName: "Owner", lastName: "", currentProjectId: null }
  const user = await addUser(em, { uuid: ids.uuidV4(), distinctId: ids.uuidV7(), ...names }, now)
  em.create(MembershipEntity, { organization, user, role: "owner", createdAt: now })
  return { organizationId, userId: user.id }
}

/** Makes a project the one that `@current` stands for. */
export async function provisionCurrentProject(em: EntityManager, userId: UserId, projectId: ProjectId): Promise<void> {
  const user = await em.findOneOrFail(UserEntity, userId)
  user.currentProjectId = projectId
}

/** The owner who joined an organization first; null when it has none. */
export async function findOwner(em: EntityManager, organizationId: OrganizationId): Promise<UserId | null> {
  const where = { organization: organizationId, role: "owner" } as const
  const membership = await em.findOne(MembershipEntity, where, { orderBy: { createdAt: "asc", user: { id: "asc" } } })
  return membership?.user.id ?? null
}

/**
 * Makes `value` a personal key of a user with scope `*`. "known" when there is such a value already, live or ended: what
 * was revoked or rolled on purpose stays so.
 */
export async function provisionPersonalKey(
  em: EntityManager,
  ids: Ids,
  { userId, value, now }: { readonly userId: UserId; readonly value: string; readonly now: Date },
): Promise<"added" | "known"> {
  const secret = createSecret(ids, value)
  if ((await em.count(PersonalKeySecretEntity, { hash: secret.hash })) > 0) return "known"
  const bounds = { scopes: ["*"], projectIds: null, organizationIds: null }
  addPersonalKey(em, { ...bounds, id: ids.uuidV7(), userId, label: "Bootstrap key", secret }, now)
  return "added"
}
