import { type RequestHandler, Router } from "express"
import type { BrowserRequest, BrowserRoute } from "../kernel/browser-route.types.js"
import { CONSOLE_HEADER } from "../kernel/browser-session.js"
import { AppError } from "../kernel/errors.js"
import { isJsonObject, type JsonObject } from "../kernel/json.js"
import type { ByteBudget } from "../platform/limits/byte-budget.js"
import type { RateBudget } from "../platform/limits/rate-budget.js"
import { isFromConsole, readCookie } from "./wire/browser-session.js"
import { readSenderIp } from "./wire/client-ip.js"
import { parseJsonBody, refusePackedBody } from "./wire/json-body.js"
import { type OnDefect, toPublicFault } from "./wire/public-fault.js"
import { readBody } from "./wire/read-body.js"
import { sendReply, toErrorReply } from "./wire/send-reply.js"

const MAX_BODY_BYTES = 16 * 1024
const PRIVATE = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }

export interface BrowserRoutesOptions {
  readonly routes: readonly BrowserRoute[]
  /** Address of the site, without a final slash. */
  readonly siteUrl: () => string
  readonly bodyMemory: ByteBudget
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxyHops: number
  /** Requests without a key, by address. */
  readonly keyless: Pick<RateBudget, "take">
  readonly onDefect: OnDefect
}

/**
 * Answers the paths for pages of this server. No other site's page can send a POST to them or read an answer: they take JSON
 * together with a header that needs leave, and give none.
 */
export function serveBrowserRoutes(options: BrowserRoutesOptions): RequestHandler {
  const router = Router()
  for (const route of options.routes) {
    const methods = route.method === "GET" ? ["GET", "HEAD"] : ["POST"]
    router.all(route.path, async (request, response) => {
      const senderIp = readSenderIp(request, options.trustProxyHops)
      const lease = options.bodyMemory.open(senderIp)
      response.once("close", lease.release)
      try {
        if (!methods.includes(request.method))
          throw new AppError("method_not_allowed", { detail: `Method "${request.method}" not allowed.` })
        options.keyless.take(senderIp)
        const body = route.method === "POST" ? await readJson(request, lease.hold) : {}
        sendReply(response, await route.answer(toBrowserRequest(request, body, senderIp, options.siteUrl())), PRIVATE)
      } catch (thrown) {
        const fault = toErrorReply(toPublicFault(thrown, options.onDefect), { ...PRIVATE, Allow: methods.join(", ") })
        sendReply(response, fault)
      }
    })
  }
  return router
}

type ExpressRequest = Parameters<RequestHandler>[0]

const toBrowserRequest = (
  request: ExpressRequest,
  body: JsonObject,
  senderIp: string,
  siteUrl: string,
): BrowserRequest => ({
  body,
  query: new URLSearchParams(/\?(.*)/.exec(request.url)?.[1]),
  cookie: (name) => readCookie(request, name),
  senderIp,
  userAgent: request.headers["user-agent"] ?? "",
  siteUrl,
})

async function readJson(request: ExpressRequest, hold: (bytes: number) => void): Promise<JsonObject> {
  if (!isFromConsole(request))
    throw new AppError("permission_denied", { detail: `Send the header ${CONSOLE_HEADER}: 1.` })
  if (!request.is("application/json"))
    throw new AppError("unsupported_media_type", { detail: "Send the request as application/json." })
  refusePackedBody(request)
  const body = parseJsonBody(await readBody(request, MAX_BODY_BYTES, hold))
  if (!isJsonObject(body)) throw new AppError("invalid_input", { detail: "Send a JSON object." })
  return body
}
