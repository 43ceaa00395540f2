import { AppError } from "../../../kernel/errors.js"
import { isUuid, type UserId } from "../../../kernel/ids.js"
import type { Principal } from "../../../kernel/request-context.js"
import type { AccessFeature, OrganizationAccess } from "../../access/index.js"
import { checkNewPassword } from "../passwords/password.rules.js"
import { makeResetLink } from "../passwords/reset-link.js"
import type { SignInDependencies } from "../sign-in.service.js"
import type { IssuedLink } from "../sign-in.types.js"
import type { BrowserSession, ChangePasswordArgs } from "./session.graphql.js"

export interface AccountDependencies extends Omit<SignInDependencies, "invitations" | "requireCode"> {
  readonly findMember: AccessFeature["findMember"]
  readonly organizations: Pick<OrganizationAccess, "visibleTo">
}

/** Use cases of somebody who is signed in. Faults are AppErrors naming the field and the rule. */
export type AccountService = ReturnType<typeof createAccountService>

/** Makes the use cases of sessions and passwords that need a caller. */
export function createAccountService(dependencies: AccountDependencies) {
  const { passwords, sessions, hasher, guesses, findMember, organizations, clock, announceEnded } = dependencies
  const now = () => new Date(clock.now())
  return {
    /** A bound key may be known to whoever made it, who must not see where its user is signed in. */
    listSessions: async (principal: Principal): Promise<BrowserSession[]> => {
      if (isBound(principal)) return []
      const found = await sessions.list(principal.userId, now())
      return found.map((session) => ({ ...session, isCurrent: session.id === principal.sessionId }))
    },
    /** As of a session that there is not where the key may see none. */
    revokeSession: async (principal: Principal, id: string): Promise<void> => {
      const isFound = !isBound(principal) && isUuid(id)
      if (!isFound || !(await sessions.revoke(principal.userId, id.toLowerCase(), now())))
        throw new AppError("not_found", { detail: "Session not found." })
      await announceEnded()
    },
    /** Answers how many other sessions have ended by it. */
    changePassword: async (principal: Principal, request: ChangePasswordArgs, senderIp: string): Promise<number> => {
      const user = await passwords.findUser(principal.userId)
      const email = user?.email ?? ""
      const password = checkNewPassword(request.newPassword, "new_password", email)
      await guesses.guess(email, senderIp, async () => {
        if (await hasher.matches(request.currentPassword, await passwords.findHash(principal.userId))) return
        throw new AppError("invalid_input", { attr: "current_password", detail: "This is not your password." })
      })
      const hash = await hasher.hash(password)
      const endedCount = await passwords.change(principal.userId, hash, principal.sessionId ?? null, now())
      await announceEnded()
      return endedCount
    },
    /**
     * Whoever has the link is the user, everywhere: only who owns every organization that the user is in may make one.
     * @throws AppError not_found, or permission_denied.
     */
    createResetLink: async (principal: Principal, userId: UserId, siteUrl: string): Promise<IssuedLink> => {
      const own = await organizations.visibleTo(principal)
      const theirs = [...((await findMember(userId))?.roles.keys() ?? [])]
      if (!theirs.some((id) => own.has(id))) throw new AppError("not_found", { detail: "User not found." })
      if (!theirs.every((id) => own.get(id) === "owner"))
        throw new AppError("permission_denied", {
          detail:
            "This needs the role of owner in every organization of the user. Whoever runs the server can reset it too.",
        })
      return makeResetLink(dependencies, userId, siteUrl, principal.userId)
    },
  }
}

const isBound = ({ projectIds, organizationIds }: Principal): boolean => projectIds !== null || organizationIds !== null
