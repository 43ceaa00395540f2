import type { UserId } from "../../kernel/ids.js"
import type { Counters } from "../../platform/counters/counters.js"
import type { Platform } from "../../platform/platform.types.js"
import { createChangeChannel } from "../../platform/pubsub/change-channel.js"
import type { AccessFeature, Authentication, KeyLookUps } from "../access/index.js"
import { AccountResolver } from "./account/account.resolver.js"
import { createAccountService } from "./account/account.service.js"
import { createIdentityRepository } from "./oidc/identity.repository.js"
import { createOidcRoutes } from "./oidc/oidc.routes.js"
import type { OidcSettings } from "./oidc/oidc.types.js"
import { createOidcProvider } from "./oidc/oidc-provider.js"
import { createGuessLimit } from "./passwords/guess-limit.js"
import { createPasswordRepository } from "./passwords/password.repository.js"
import { createPasswordHasher } from "./passwords/password-hasher.js"
import { createSessionCache } from "./sessions/session.cache.js"
import { createSessionRepository } from "./sessions/session.repository.js"
import { createSessionStore } from "./sessions/session.store.js"
import { createSessionAuthenticator, toAuthentication } from "./sessions/session-authenticator.js"
import { createSignInRoutes } from "./sign-in.routes.js"
import { createSignInService } from "./sign-in.service.js"
import { createSecondFactorCheck } from "./totp/second-factor.js"
import { createTotpRepository } from "./totp/totp.repository.js"
import { TotpResolver } from "./totp/totp.resolver.js"
import { createTotpService } from "./totp/totp.service.js"

export interface SignInFeatureDependencies extends Omit<Platform, "clickHouse"> {
  readonly counters: Counters
  /** How people sign in by a provider; null without one. */
  readonly oidc: OidcSettings | null
  readonly access: Pick<AccessFeature, "findMember" | "invitations" | "organizations">
}

/** Wires how people sign in by browser: passwords, second factors, sessions, one-time links. */
export function createSignInFeature(dependencies: SignInFeatureDependencies) {
  const { database, pubSub, counters, oidc, access, clock, ids, logger } = dependencies
  const { records, pool } = database
  const { findMember, invitations, organizations } = access
  const store = createSessionStore(pool)
  const cache = createSessionCache(store, clock)
  const authenticator = createSessionAuthenticator({ store, cache, findMember, clock, logger })
  const listeners = new Set<() => void>()
  const onEnded = (): void => {
    cache.invalidate(() => true)
    for (const listener of listeners) listener()
  }
  const ended = createChangeChannel<null>(pubSub, "sign-in.sessions-ended", onEnded, logger)
  const guesses = createGuessLimit(counters)
  const totp = createTotpRepository(records, ids)
  const requireCode = createSecondFactorCheck({ totp, guesses, clock })
  const shared = {
    passwords: createPasswordRepository(records, ids),
    sessions: createSessionRepository(records, ids),
    identities: createIdentityRepository(records, ids),
    oidc,
    hasher: createPasswordHasher(ids),
    guesses,
    requireCode,
    announceEnded: () => ended.announce(null),
    clock,
    ids,
  }
  const service = createSignInService({ ...shared, invitations })
  const findSessionUser = async (token: string): Promise<UserId | null> =>
    (await authenticator.use(token))?.userId ?? null
  const { arrive } = service
  const oidcRoutes =
    oidc === null
      ? []
      : createOidcRoutes({ provider: createOidcProvider(oidc), arrive, announceEnded: shared.announceEnded, logger })
  return {
    routes: [...createSignInRoutes({ service, findSessionUser, oidcName: oidc?.name ?? null }), ...oidcRoutes],
    resolvers: [
      new AccountResolver(createAccountService({ ...shared, findMember, organizations })),
      new TotpResolver(createTotpService({ ...shared, totp })),
    ],
    makeWelcomeLink: service.makeWelcomeLink,
    /** Looks at the token of a browser; the outcome's fields go into the RequestContext as they are. */
    authenticate: async (token: string, lookUps: KeyLookUps): Promise<Authentication> =>
      toAuthentication(await authenticator.use(token, lookUps)),
    /** Calls `listener` whenever sessions may have ended, here or in another process, until it is stopped. */
    watchEnds: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Subscribes to changes made by other processes. */
    start: ended.start,
    /** Unsubscribes and waits for what is being written. */
    stop: async (): Promise<void> => {
      await ended.stop()
      await authenticator.flush()
    },
  }
}
