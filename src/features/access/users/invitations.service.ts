import { AppError } from "../../../kernel/errors.js"
import type { OrganizationId, UserId } from "../../../kernel/ids.js"
import { MAX_PAGE_SIZE } from "../../../kernel/paging.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { AccessDependencies } from "../access.types.js"
import { createSecret, hashSecret, PERSONAL_KEY_PREFIX } from "../keys/key-secret.js"
import { checkBounds, MAX_KEYS_OF_USER, requireWithin } from "../keys/personal-key.rules.js"
import type { OrganizationAccess } from "../organization-access.js"
import type { InvitationRepository } from "./invitation.repository.js"
import type { InviteUserArgs } from "./me.graphql.js"
import type { OrganizationInvitation } from "./member.graphql.js"
import { checkEmail, checkOptionalName } from "./user.rules.js"
import type { Accepted, Invited, InvitedPerson, User } from "./user.types.js"

const FIRST_KEY_LABEL = "First key"
const TOKEN_PREFIX = "phi_"
const TOKEN_LIVES_MS = 7 * 24 * 3_600_000

/**
 * Use cases of invitations (`docs/contract/management.md#invitations`). Faults are AppErrors naming the field and the
 * rule.
 */
export type InvitationsService = ReturnType<typeof createInvitationsService>

/** Makes the use cases of invitations. */
export function createInvitationsService(
  repository: InvitationRepository,
  organizations: OrganizationAccess,
  { projects, clock, ids, announceChange }: Omit<AccessDependencies, "findMember">,
) {
  const now = () => new Date(clock.now())
  /** Bound to the organization whatever the maker's key may see: whoever made it must not follow its user elsewhere. */
  const makeKey = (organizationId: OrganizationId, scopes: readonly string[]) => {
    const value = ids.secret(PERSONAL_KEY_PREFIX)
    const bounds = checkBounds({ scopes, organizationIds: [organizationId] })
    return { value, key: { ...bounds, id: ids.uuidV7(), label: FIRST_KEY_LABEL, secret: createSecret(ids, value) } }
  }

  return {
    /** @param siteUrl what the link begins with, without a final slash. */
    invite: async (principal: Principal, request: InviteUserArgs, siteUrl: string): Promise<Invited> => {
      const role = request.role ?? "member"
      const needed = role === "owner" ? "owner" : "admin"
      const organizationId = await organizations.require(principal, request.organizationId ?? null, needed)
      const first = request.byLink ? null : makeKey(organizationId, request.keyScopes ?? principal.scopes)
      if (first !== null) requireWithin(first.key, principal)
      const user = {
        uuid: ids.uuidV4(),
        distinctId: ids.uuidV7(),
        email: checkEmail(request.email),
        firstName: checkOptionalName(request.firstName, "first_name"),
        lastName: checkOptionalName(request.lastName, "last_name"),
        currentProjectId: await projects.findFirstProjectId([organizationId]),
      }
      const token = ids.secret(TOKEN_PREFIX)
      const expiresAt = new Date(clock.now() + TOKEN_LIVES_MS)
      const terms = { organizationId, role, expiresAt, tokenHash: hashSecret(token), invitedBy: principal.userId }
      const result = await repository.invite({ ...terms, user, firstKey: first?.key ?? null }, now())
      if (result === "already a member")
        throw new AppError("unique", { attr: "email", detail: "This user is already in the organization." })
      if (result === "of an owner")
        throw new AppError("permission_denied", { detail: "Only owners change the invitation of an owner." })
      await announceChange()
      if (result.hasJoined)
        return { user: result.user, personalApiKey: first?.value ?? null, invitationToken: null, invitationLink: null }
      return {
        user: result.isKnown ? withoutProfile(result.user) : result.user,
        personalApiKey: null,
        invitationToken: token,
        invitationLink: `${siteUrl}/invitation?token=${token}`,
      }
    },
    /** Those that are good, at most 1000, newest first; for admins and owners. */
    list: async (principal: Principal, organizationId: OrganizationId): Promise<readonly OrganizationInvitation[]> =>
      repository.list(await organizations.require(principal, organizationId, "admin"), now(), MAX_PAGE_SIZE),
    /** The caller joins. A calling key that does not reach the organization gets its user one that does. */
    accept: async (principal: Principal, token: string): Promise<Accepted> => {
      let personalApiKey: string | null = null
      const keyFor = (organizationId: OrganizationId) => {
        if (principal.organizationIds?.includes(organizationId) ?? true) return null
        const { value, key } = makeKey(organizationId, principal.scopes)
        personalApiKey = value
        return key
      }
      const acceptance = { userId: principal.userId, tokenHash: hashSecret(token), keyFor, maxKeys: MAX_KEYS_OF_USER }
      const outcome = await repository.accept(acceptance, now())
      if (outcome === "unknown") throw new AppError("not_found", { detail: "Invitation not found." })
      if (outcome === "too many keys")
        throw new AppError("invalid_input", {
          detail: `Joining needs a new key, and a user has at most ${MAX_KEYS_OF_USER}; revoke one first.`,
        })
      await announceChange()
      return { organizationId: outcome, personalApiKey }
    },
    /** Whom a token invites; null for one that is not good any more. */
    findInvited: (token: string): Promise<InvitedPerson | null> => repository.findInvited(hashSecret(token), now()),
    /** The user joins, proven by other means than a key. @throws AppError not_found when the token is not theirs. */
    join: async (userId: UserId, token: string): Promise<void> => {
      const acceptance = { userId, tokenHash: hashSecret(token), keyFor: () => null, maxKeys: MAX_KEYS_OF_USER }
      const outcome = await repository.accept(acceptance, now())
      if (outcome === "unknown") throw new AppError("not_found", { detail: "Invitation not found." })
      await announceChange()
    },
  }
}

/** Who invites somebody does not yet belong with them, and learns no more of them than the address that was typed. */
const withoutProfile = ({ id, uuid, email, createdAt }: User): User => ({
  id,
  uuid,
  email,
  createdAt,
  distinctId: uuid,
  firstName: "",
  lastName: "",
  isEmailVerified: false,
  hedgehogConfig: null,
  roleAtOrganization: null,
  isActive: true,
  currentProjectId: null,
})
