import type { BrowserRequest, BrowserRoute } from "../../kernel/browser-route.types.js"
import { SESSION_COOKIE } from "../../kernel/browser-session.js"
import { AppError, toPublicError, toWireErrorBody } from "../../kernel/errors.js"
import type { UserId } from "../../kernel/ids.js"
import type { JsonObject } from "../../kernel/json.js"
import type { Reply } from "../../kernel/reply.js"
import { toSessionCookie } from "./sessions/session-cookie.js"
import type { SignInService } from "./sign-in.service.js"
import type { NewSession } from "./sign-in.types.js"

export interface SignInRoutesDependencies {
  readonly service: SignInService
  /** The user of a live session, by its token. */
  readonly findSessionUser: (token: string) => Promise<UserId | null>
  /** What the provider of OpenID Connect is called; null without one. */
  readonly oidcName: string | null
}

/** The paths of `docs/sign-in.md#endpoints`, the only ones that pages of this server have besides GraphQL. */
export function createSignInRoutes({
  service,
  findSessionUser,
  oidcName,
}: SignInRoutesDependencies): readonly BrowserRoute[] {
  const post = (path: string, answer: BrowserRoute["answer"]): BrowserRoute => ({ method: "POST", path, answer })
  return [
    {
      method: "GET",
      path: "/auth/session",
      answer: async (request) => {
        const token = request.cookie(SESSION_COOKIE)
        const userId = token === null ? null : await findSessionUser(token)
        const user = userId === null ? null : await service.findUser(userId)
        if (token === null || user === null)
          return { status: 401, body: { ...NOT_SIGNED_IN, setupRequired: await service.isSetupRequired() } }
        return answerSignedIn(request, { token, user })
      },
    },
    {
      method: "GET",
      path: "/auth/options",
      answer: async () => ({ status: 200, body: { oidc: oidcName === null ? null : { name: oidcName } } }),
    },
    post("/auth/first-owner", async (request) => {
      const [token, email] = [readText(request.body, "token"), readText(request.body, "email")]
      const [name, password] = [readText(request.body, "name"), readText(request.body, "password")]
      return answerSignedIn(request, await service.claimFirstOwner({ token, email, name, password }, request))
    }),
    post("/auth/sign-in", async (request) => {
      const [email, password] = [readText(request.body, "email"), readText(request.body, "password")]
      return answerSignedIn(request, await service.signIn({ email, password, code: readCode(request) }, request))
    }),
    post("/auth/sign-out", async (request) => {
      const token = request.cookie(SESSION_COOKIE)
      if (token !== null) await service.signOut(token)
      return { status: 204, headers: { "Set-Cookie": toSessionCookie(request, "") } }
    }),
    post("/auth/invitation", async (request) => {
      const [token, password] = [readText(request.body, "token"), readText(request.body, "password")]
      const name = readText(request.body, "name", "")
      return answerSignedIn(
        request,
        await service.acceptInvitation({ token, name, password, code: readCode(request) }, request),
      )
    }),
    post("/auth/reset-password", async (request) => {
      const [token, password] = [readText(request.body, "token"), readText(request.body, "password")]
      return answerSignedIn(request, await service.resetPassword({ token, password, code: readCode(request) }, request))
    }),
  ]
}

const NOT_SIGNED_IN = toWireErrorBody(
  toPublicError(new AppError("not_authenticated", { detail: "Nobody is signed in here." }), String),
)

const answerSignedIn = (request: BrowserRequest, { token, user }: NewSession): Reply => ({
  status: 200,
  headers: { "Set-Cookie": toSessionCookie(request, token) },
  body: { user, setupRequired: false },
})

/** A text of the body. @throws AppError required or invalid_input naming it. */
function readText(body: JsonObject, attr: string, fallback?: string): string {
  const value = body[attr] ?? fallback
  if (value === undefined) throw new AppError("required", { attr })
  if (typeof value !== "string") throw new AppError("invalid_input", { attr, detail: `${attr} must be a text.` })
  return value
}

/** The code of a second factor; null when there is none. */
const readCode = ({ body }: BrowserRequest): string | null => readText(body, "code", "") || null
