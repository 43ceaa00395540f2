import type { DirectHead, DirectRoute, Method } from "../../src/kernel/direct-route.types.js"
import { AppError } from "../../src/kernel/errors.js"
import type { Reply } from "../../src/kernel/reply.js"
import { answerDirect } from "../../src/transport/rest/run-direct.js"
import { holdFreely } from "./ample-memory.js"

/** A request of a hot path. */
export interface RouteRequest {
  readonly method: string
  /** Path with query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Has the routes answer a request as the server does, without one. @throws AppError not_found for a path none of them has. */
export async function askRoute(
  routes: readonly DirectRoute[],
  { method, url, headers = {}, body = Buffer.alloc(0) }: RouteRequest,
  from: Pick<DirectHead, "clientIp" | "receivedAtMs">,
): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(url, "http://localhost")
  const path = pathname.replace(/\/$/, "")
  const route = routes.find((one) => one.path === path && one.methods.includes(method as Method))
  if (route === undefined) throw new AppError("not_found")
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const head = { method: method as Method, params: {}, query, headers: lowerCase, senderIp: from.clientIp, ...from }
  return answerDirect(route, head, body, holdFreely)
}
