import type { Awaitable } from "../../kernel/awaitable.js"
import { anyOriginHeaders } from "../wire/cors.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { receiveBody } from "../wire/read-body.js"
import { sendReply, toErrorReply, type WireReply } from "../wire/wire-reply.js"
import type { DirectHandlers, DirectRoute, Method } from "./rest-route.types.js"
import type { RoutedRequest } from "./route-table.js"

export interface DirectRunnerOptions {
  readonly handlers: DirectHandlers
  readonly onDefect: OnDefect
  readonly onUndeclaredStatus: (routeId: string, status: number) => void
  readonly onReply?: (routeId: string | null, method: string, status: number, durationMs: number) => void
}

/**
 * Answers a hot row: body, handler, answer. No promise is made unless the handler has to wait for something, so that a
 * decision out of memory is sent in the turn in which its body ends (decision 0014).
 */
export function runDirect(options: DirectRunnerOptions, call: RoutedRequest, route: DirectRoute): void {
  const startedAtMs = performance.now()
  const { request, response, match, query } = call
  const { headers } = request
  const method = request.method as Method
  const shared = match.rows.anyOrigin ? anyOriginHeaders(headers, match.rows.allow, query) : {}

  const conclude = (reply: WireReply): void => {
    try {
      sendReply(response, reply, shared)
      options.onReply?.(route.id, method, reply.status, performance.now() - startedAtMs)
    } catch (defect) {
      options.onDefect(defect)
      response.destroy()
    }
  }
  const send = (reply: WireReply): void => {
    if (!route.statuses.includes(reply.status)) options.onUndeclaredStatus(route.id, reply.status)
    conclude(reply)
  }
  const refuse = (thrown: unknown): void => conclude(toErrorReply(toPublicFault(thrown, options.onDefect)))
  const handle = (body: Buffer): Awaitable<WireReply> => {
    const { path } = call
    const { surface } = route
    return options.handlers[route.handler]({
      surface,
      method,
      path,
      params: match.params,
      query,
      headers,
      body,
      request,
    })
  }

  if (method === "OPTIONS") return void send({ status: 200, headers: { Allow: match.rows.allow } })
  const onBody = (body: Buffer): void => {
    try {
      const reply = handle(body)
      if (reply instanceof Promise) reply.then(send, refuse)
      else send(reply)
    } catch (fault) {
      refuse(fault)
    }
  }
  receiveBody(request, route.maxBytes, onBody, refuse)
}
