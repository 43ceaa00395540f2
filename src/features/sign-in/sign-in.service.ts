import { AppError } from "../../kernel/errors.js"
import type { UserId } from "../../kernel/ids.js"
import { toStorableText } from "../../kernel/json.js"
import { cutText, requireName } from "../../kernel/text-length.js"
import type { Platform } from "../../platform/platform.types.js"
import { type AccessFeature, checkEmail, hashSecret } from "../access/index.js"
import type { IdentityRepository } from "./oidc/identity.repository.js"
import type { Refusal } from "./oidc/oidc.routes.js"
import type { OidcSettings } from "./oidc/oidc.types.js"
import type { Identity } from "./oidc/oidc-provider.js"
import type { GuessLimit } from "./passwords/guess-limit.js"
import type { PasswordRepository } from "./passwords/password.repository.js"
import { checkNewPassword } from "./passwords/password.rules.js"
import type { PasswordHasher } from "./passwords/password-hasher.js"
import { makeNewSession } from "./sessions/make-new-session.js"
import type { SessionRepository } from "./sessions/session.repository.js"
import type { NewSession, SignedInUser, Visitor } from "./sign-in.types.js"
import type { SecondFactorCheck } from "./totp/second-factor.js"

const MAX_NAME_LENGTH = 150
const WELCOME_LINK_LIVES_MS = 15 * 60_000
const WELCOME_PREFIX = "phw_"

export interface SignInDependencies extends Pick<Platform, "clock" | "ids"> {
  readonly passwords: PasswordRepository
  readonly sessions: SessionRepository
  readonly identities: IdentityRepository
  /** Null without a provider. */
  readonly oidc: OidcSettings | null
  readonly hasher: PasswordHasher
  readonly guesses: GuessLimit
  readonly requireCode: SecondFactorCheck
  readonly invitations: AccessFeature["invitations"]
  /** Announces to every process that sessions have ended. */
  readonly announceEnded: () => Promise<void>
}

/** What browsers ask for that are not signed in yet. Faults are AppErrors naming the field and the rule. */
export type SignInService = ReturnType<typeof createSignInService>

/** Makes the use cases of signing in and out (`docs/sign-in.md`). */
export function createSignInService(dependencies: SignInDependencies) {
  const {
    passwords,
    sessions,
    identities,
    oidc,
    hasher,
    guesses,
    requireCode,
    invitations,
    clock,
    ids,
    announceEnded,
  } = dependencies
  const now = () => new Date(clock.now())
  const makeSession = (visitor: Visitor) => makeNewSession(dependencies, visitor)
  const begin = async (userId: UserId, visitor: Visitor): Promise<NewSession> => {
    const { token, stored } = makeSession(visitor)
    return { token, user: toSignedIn(await sessions.begin(userId, stored, now())) }
  }
  /** @throws AppError authentication_failed, the same whether there is no such account or another password. */
  const requirePassword = (email: string, password: string, { senderIp }: Visitor): Promise<UserId> =>
    guesses.guess(email, senderIp, async () => {
      const user = await passwords.findUserByEmail(email)
      const isRight = await hasher.matches(password, user && (await passwords.findHash(user.id)))
      if (user === null || !isRight) throw new AppError("authentication_failed", { detail: WRONG })
      return user.id
    })
  /** The password, then the second factor of who has one: without the password nobody learns that there is one. */
  const requireSignIn = async (email: string, { password, code }: Credentials, visitor: Visitor): Promise<UserId> => {
    const userId = await requirePassword(email, password, visitor)
    const { senderIp } = visitor
    await requireCode({ userId, email, senderIp, code, fault: "authentication_failed" })
    return userId
  }

  return {
    /** Lets somebody in whom the provider knows, by the rules of `docs/sign-in.md#openid-connect`; or says why not. */
    arrive: async (identity: Identity, visitor: Visitor): Promise<NewSession | Refusal> => {
      const { email } = identity
      if (email === null || oidc === null) return "oidc-address"
      const domain = email.slice(email.lastIndexOf("@") + 1)
      if (oidc.allowedDomains.length > 0 && !oidc.allowedDomains.includes(domain)) return "oidc-address"
      const { token, stored } = makeSession(visitor)
      const name = cutText(toStorableText(identity.name).trim(), MAX_NAME_LENGTH)
      const user = await identities.arrive({ ...identity, email, name, newUserRole: oidc.newUserRole }, stored, now())
      return user === null ? "oidc-unknown" : { token, user: toSignedIn(user) }
    },
    /** Whether nobody has a password yet, so that only a link of the server's start opens anything. */
    isSetupRequired: async (): Promise<boolean> => !(await passwords.hasAny()),
    findUser: async (userId: UserId): Promise<SignedInUser | null> => {
      const user = await passwords.findUser(userId)
      return user && toSignedIn(user)
    },
    /** Makes the link for the first owner, good once and for 15 minutes; null when somebody has a password already. */
    makeWelcomeLink: async (siteUrl: string): Promise<string | null> => {
      if (await passwords.hasAny()) return null
      const token = ids.secret(WELCOME_PREFIX)
      const expiresAt = new Date(clock.now() + WELCOME_LINK_LIVES_MS)
      await passwords.addFirstOwnerLink(hashSecret(token), expiresAt, now())
      return `${siteUrl}/welcome?token=${token}`
    },
    claimFirstOwner: async (
      request: { readonly token: string; readonly email: string; readonly name: string; readonly password: string },
      visitor: Visitor,
    ): Promise<NewSession> => {
      const email = checkEmail(request.email)
      const name = requireName("name", request.name, MAX_NAME_LENGTH)
      const linkHash = hashSecret(request.token)
      if (!(await passwords.isFirstOwnerLink(linkHash, now()))) throw usedLink()
      const passwordHash = await hasher.hash(checkNewPassword(request.password, "password", email))
      const { token, stored } = makeSession(visitor)
      const owner = { linkHash, email, name, passwordHash }
      const user = await passwords.claimFirstOwner(owner, stored, now())
      if (user === "address taken")
        throw new AppError("unique", { attr: "email", detail: "Another user has this address." })
      if (user === null) throw usedLink()
      return { token, user: toSignedIn(user) }
    },
    signIn: async (request: Credentials & { readonly email: string }, visitor: Visitor) => {
      const email = toStorableText(request.email).trim().toLowerCase()
      return begin(await requireSignIn(email, request, visitor), visitor)
    },
    signOut: async (token: string): Promise<void> => {
      await sessions.signOut(hashSecret(token), now())
      await announceEnded()
    },
    /** Somebody new sets name and password; who has a password joins by it, and keeps the name. */
    acceptInvitation: async (
      request: Credentials & { readonly token: string; readonly name: string },
      visitor: Visitor,
    ): Promise<NewSession> => {
      const invited = await invitations.findInvited(request.token)
      if (invited === null) throw usedLink()
      const { userId, email } = invited
      if (!invited.isNew || !(await claim(invited, request))) await requireSignIn(email, request, visitor)
      await invitations.join(userId, request.token)
      return begin(userId, visitor)
    },
    /** A second factor stays, and is asked for: the link takes the place of the password alone. */
    resetPassword: async (request: Credentials & { readonly token: string }, visitor: Visitor): Promise<NewSession> => {
      const linkHash = hashSecret(request.token)
      const owner = await passwords.findResetUser(linkHash, now())
      if (owner === null) throw usedLink()
      const password = checkNewPassword(request.password, "password", owner.email)
      const code = { code: request.code, fault: "authentication_failed" } as const
      await requireCode({ userId: owner.id, email: owner.email, senderIp: visitor.senderIp, ...code })
      const passwordHash = await hasher.hash(password)
      const { token, stored } = makeSession(visitor)
      const user = await passwords.reset(linkHash, passwordHash, stored, now())
      if (user === null) throw usedLink()
      await announceEnded()
      return { token, user: toSignedIn(user) }
    },
  }

  async function claim(
    { userId, email }: { readonly userId: UserId; readonly email: string },
    request: { readonly name: string; readonly password: string },
  ): Promise<boolean> {
    if ((await passwords.findHash(userId)) !== null) return false
    const name = requireName("name", request.name, MAX_NAME_LENGTH)
    const hash = await hasher.hash(checkNewPassword(request.password, "password", email))
    return passwords.claimInvited(userId, name, hash, now())
  }
}

/** What somebody proves with that they are a user. */
interface Credentials {
  readonly password: string
  /** Of the second factor; null when none was typed. */
  readonly code: string | null
}

const WRONG = "The e-mail address or the password is wrong."

const usedLink = (): AppError =>
  new AppError("invalid_input", { attr: "token", detail: "This link is not good any more. Ask for another one." })

const toSignedIn = (user: {
  readonly id: UserId
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}): SignedInUser => ({ id: user.id, email: user.email, name: `${user.firstName} ${user.lastName}`.trim() })
