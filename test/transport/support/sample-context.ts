import type DataLoader from "dataloader"
import { AppError } from "../../../src/kernel/errors.js"
import { asProjectId, asUserId } from "../../../src/kernel/ids.js"
import type { LoaderFactory, Principal, ProjectAccess, RequestContext } from "../../../src/kernel/request-context.js"
import type { Caller } from "../../../src/transport/wire/caller.js"
import { closedDoors } from "../../support/closed-doors.js"

export const GOOD_KEY = "phx_good"
export const READ_KEY = "phx_read"
const SCOPES: Readonly<Record<string, readonly string[]>> = { [GOOD_KEY]: ["*"], [READ_KEY]: ["feature_flag:read"] }

/** Keys taken away during a test. */
export const revokedKeys = new Set<string>()

let requests = 0

const access: ProjectAccess = {
  requireProject: async (context, rawProjectId, scope) => {
    const principal = await access.requirePrincipal(context, scope)
    if (rawProjectId === "2")
      throw new AppError("permission_denied", { detail: "You don't have access to the project." })
    if (rawProjectId !== "1" && rawProjectId !== "@current")
      throw new AppError("not_found", { detail: "Project not found." })
    if (!principal.scopes.includes("*") && !principal.scopes.includes(scope))
      throw new AppError("permission_denied", { detail: `API key missing required scope '${scope}'` })
    return asProjectId(1)
  },
  requirePrincipal: async (context) => {
    if (context.authenticationFault === "invalid") throw new AppError("authentication_failed")
    if (context.principal === null) throw new AppError("not_authenticated")
    return context.principal
  },
  ...closedDoors,
}

/** A context in which two keys are known and everybody's project is 1. */
export async function createSampleContext(caller: Caller): Promise<RequestContext> {
  const key = caller.authorization?.replace(/^Bearer /, "") ?? caller.queryParameter ?? null
  const scopes = key === null || revokedKeys.has(key) ? undefined : SCOPES[key]
  const principal: Principal | null =
    scopes === undefined ? null : { userId: asUserId(7), keyId: "k1", scopes, projectIds: null, organizationIds: null }
  const loaders = new Map<unknown, unknown>()
  return {
    requestId: `request-${++requests}`,
    clientIp: caller.request.socket.remoteAddress ?? "",
    senderIp: caller.request.socket.remoteAddress ?? "",
    baseUrl: "https://waymark.test",
    principal,
    authenticationFault: principal !== null ? null : key === null ? "absent" : "invalid",
    credentialSource: caller.authorization === undefined ? null : "Authorization header",
    loader: <Key, Value>(factory: LoaderFactory<Key, Value>): DataLoader<Key, Value> => {
      if (!loaders.has(factory)) loaders.set(factory, factory())
      return loaders.get(factory) as DataLoader<Key, Value>
    },
    findResolver: () => {
      throw new Error("the sample resolvers need no instance")
    },
    access,
  }
}
