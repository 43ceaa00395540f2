import { AppError } from "../../kernel/errors.js"
import type { Principal, RequestContext } from "../../kernel/request-context.js"

/**
 * The caller of a request that a scope decorator has let in.
 * @throws AppError not_authenticated, or authentication_failed naming where the bad key was found.
 */
export function callerOf(context: RequestContext): Principal {
  if (context.principal !== null) return context.principal
  if (context.authenticationFault !== "invalid") throw new AppError("not_authenticated")
  const where = context.credentialSource ?? "Authorization header"
  throw new AppError("authentication_failed", { detail: `Personal API key found in request ${where} is invalid.` })
}
