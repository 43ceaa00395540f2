import { type Awaitable, andThen } from "../../kernel/awaitable.js"
import type { Clock } from "../../kernel/clock.js"
import type { DecodedText, DirectHead, DirectRoute, Method } from "../../kernel/direct-route.types.js"
import { AppError } from "../../kernel/errors.js"
import type { Reply } from "../../kernel/reply.js"
import { keepNote } from "../../kernel/request-note.js"
import type { ByteBudget } from "../../platform/limits/byte-budget.js"
import { readClientIp, readSenderIp } from "../wire/client-ip.js"
import { anyOriginHeaders } from "../wire/cors.js"
import { decodeBody } from "../wire/decode-body.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { type HoldBytes, receiveBody } from "../wire/read-body.js"
import { sendReply, toErrorReply } from "../wire/send-reply.js"
import type { DirectRow } from "./rest-route.types.js"
import type { RoutedRequest } from "./route-table.js"

export interface DirectRunnerOptions {
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxyHops: number
  readonly clock: Clock
  /** What bodies may take of the memory. */
  readonly bodyMemory: ByteBudget
  readonly onDefect: OnDefect
  readonly onUndeclaredStatus: (routeId: string, status: number) => void
  readonly onReply?: (routeId: string, status: number, durationMs: number) => void
}

/**
 * Answers a row of a hot path: body, decoding, answer. No promise is made unless there is something to wait for, so that a
 * decision out of memory is sent in the same turn of the event loop in which its body ends (decision 0014).
 */
export function runDirect(options: DirectRunnerOptions, call: RoutedRequest, row: DirectRow): void {
  const startedAtMs = performance.now()
  const { request, response, match, query } = call
  const { route } = row
  const lease = options.bodyMemory.open(readSenderIp(request, options.trustProxyHops))
  const corsHeaders = match.rows.anyOrigin ? anyOriginHeaders(request.headers, match.rows.allow, query) : {}

  const conclude = (reply: Reply): void => {
    lease.release()
    try {
      sendReply(response, reply, corsHeaders)
      options.onReply?.(row.id, reply.status, performance.now() - startedAtMs)
    } catch (defect) {
      options.onDefect(defect)
      response.destroy()
    }
  }
  const send = (reply: Reply): void => {
    if (!row.statuses.includes(reply.status)) options.onUndeclaredStatus(row.id, reply.status)
    conclude(reply)
  }
  const refuse = (thrown: unknown): void => conclude(toErrorReply(toPublicFault(thrown, options.onDefect)))
  const onBody = (body: Buffer): void => {
    try {
      const reply = answerDirect(route, toHead(options, call), body, lease.hold)
      if (reply instanceof Promise) reply.then(send, refuse)
      else send(reply)
    } catch (fault) {
      refuse(fault)
    }
  }

  if (row.method === "OPTIONS") send({ status: 200, headers: { Allow: match.rows.allow } })
  else if (route.body === null) onBody(NO_BODY)
  else receiveBody(request, { maxBytes: route.body.maxBytes, hold: lease.hold }, keepNote(onBody), refuse)
}

const NO_BODY = Buffer.alloc(0)
const NO_TEXT: DecodedText = { json: null, bytes: NO_BODY, hasUnicodeEscapes: false, hasOnlyFiniteNumbers: true }

const toHead = (
  { trustProxyHops, clock }: DirectRunnerOptions,
  { request, match, query }: RoutedRequest,
): DirectHead => ({
  method: request.method as Method,
  params: match.params,
  query,
  headers: request.headers,
  clientIp: readClientIp(request, trustProxyHops),
  senderIp: readSenderIp(request, trustProxyHops),
  receivedAtMs: clock.now(),
})

/** The answer of a route to a request whose body has arrived. @throws AppError, or rejects with it. */
export function answerDirect(route: DirectRoute, head: DirectHead, body: Buffer, hold: HoldBytes): Awaitable<Reply> {
  const refusal = route.admit?.(head) ?? null
  if (refusal !== null) return refusal
  if (route.answerUndecodable !== undefined)
    return answerEither(route, route.answerUndecodable, head, () => decode(route, head, body, hold))
  return andThen(decode(route, head, body, hold), (text) => route.answer({ ...head, text }))
}

async function answerEither(
  route: DirectRoute,
  answerUndecodable: NonNullable<DirectRoute["answerUndecodable"]>,
  head: DirectHead,
  decoding: () => Awaitable<DecodedText>,
): Promise<Reply> {
  let text: DecodedText
  try {
    text = await decoding()
  } catch (fault) {
    if (fault instanceof AppError) return answerUndecodable(fault, head)
    throw fault
  }
  return route.answer({ ...head, text })
}

const decode = (
  { body: rules }: DirectRoute,
  { headers, query }: DirectHead,
  body: Buffer,
  hold: HoldBytes,
): Awaitable<DecodedText> => (rules === null ? NO_TEXT : decodeBody({ headers, query, body, hold }, rules))
