import { AppError } from "../../../kernel/errors.js"
import type { CredentialKind, Principal, RequestContext } from "../../../kernel/request-context.js"

/**
 * The caller of a request that a scope decorator has let in.
 * @throws AppError not_authenticated, authentication_failed naming where the bad key was found, or permission_denied for a
 * secret key of a project.
 */
export function requireCaller(context: RequestContext): Principal {
  if (context.principal !== null) return context.principal
  if (context.secretProjectId != null) throw new AppError("permission_denied", { detail: SECRET_KEY_ELSEWHERE })
  if (context.authenticationFault !== "invalid") throw new AppError("not_authenticated")
  const where = context.credentialSource ?? "Authorization header"
  const kind = context.credentialKind ?? "personal key"
  throw new AppError("authentication_failed", { detail: DETAILS[kind](where) })
}

const SECRET_KEY_ELSEWHERE =
  "A project secret key (phs_) opens flag definitions and remote configuration only. Use a personal API key (phx_)."

/** SDKs take different keys for different calls; the usual fault is the wrong one of them. */
const DETAILS: Readonly<Record<CredentialKind, (where: string) => string>> = {
  "personal key": (where) => `Personal API key found in request ${where} is invalid.`,
  "project secret key": (where) => `Project secret key found in request ${where} is invalid.`,
  "project key": (where) =>
    `The key found in request ${where} is a project API key (phc_). This needs a personal API key (phx_).`,
  "browser session": () => "The session has ended. Sign in again.",
}
