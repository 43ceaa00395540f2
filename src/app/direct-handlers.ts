import type { CaptureEndpoint, CaptureReply } from "../features/capture/index.js"
import type { BrowserListEndpoint, DecideEndpoint, OfrepEndpoint } from "../features/flags/index.js"
import { type Awaitable, andThen } from "../kernel/awaitable.js"
import type { Clock } from "../kernel/clock.js"
import { AppError } from "../kernel/errors.js"
import type { Json } from "../kernel/json.js"
import type {
  CaptureHandler,
  DecideHandler,
  DirectCall,
  DirectHandlers,
  OfrepHandler,
} from "../transport/rest/rest-route.types.js"
import { clientIpOf, senderIpOf } from "../transport/wire/client-ip.js"
import { type DecodeRules, decodeBody, decodeText, type EncodedBody } from "../transport/wire/decode-body.js"
import { decodeFlagBody } from "../transport/wire/flag-body.js"
import type { DecodedText } from "../transport/wire/json-text.js"

const DECIDE_RULES: DecodeRules = { maxBytes: 1024 * 1024, legacyBase64Unwrap: true, lenientText: true }

export interface DirectHandlerDependencies {
  readonly capture: CaptureEndpoint
  readonly decide: DecideEndpoint
  readonly ofrep: OfrepEndpoint
  readonly browserList: BrowserListEndpoint
  readonly clock: Clock
  readonly trustProxyHops: number
}

/** Joins the hot rows of the route table to their endpoints: bytes are decoded here, everything else is theirs. */
export function createDirectHandlers({
  capture,
  decide,
  ofrep,
  browserList,
  clock,
  trustProxyHops,
}: DirectHandlerDependencies): DirectHandlers {
  const captureHandler: CaptureHandler = (call) => {
    const { path, query, headers } = call
    const head = { method: call.method, path, query, headers }
    const refusal = capture.refuse(head)
    if (refusal !== null) return refusal
    const limits = capture.limitsOf(path)
    if (limits === null) throw new Error(`the route table has a capture row without limits: ${path}`)
    const decode = () => decodeText(toEncodedBody(call), limits)
    const handle = (text: DecodedText) =>
      capture.handle({
        ...head,
        body: text.json,
        text,
        clientIp: clientIpOf(call.request, trustProxyHops),
        receivedAtMs: clock.now(),
      })
    return call.surface === "v1" ? handleV1(decode, handle) : andThen(decode(), handle)
  }

  const handleV1 = async (
    decode: () => Awaitable<DecodedText>,
    handle: (text: DecodedText) => Promise<CaptureReply>,
  ) => {
    let text: DecodedText
    try {
      text = await decode()
    } catch (fault) {
      return capture.refuseV1Body(fault)
    }
    return handle(text)
  }

  const decideHandler: DecideHandler = (call) => {
    const { method, query, headers, request } = call
    const isPost = method === "POST"
    if (isPost) decide.admit(senderIpOf(request, trustProxyHops))
    const surface = call.surface === "flags" ? "flags" : "decide"
    return andThen(isPost ? decodeFlagBody(toEncodedBody(call), DECIDE_RULES) : undefined, (body) =>
      decide.handle({ surface, method, query, headers, body, clientIp: clientIpOf(request, trustProxyHops) }),
    )
  }

  const ofrepHandler: OfrepHandler = async (call) => {
    decide.admit(senderIpOf(call.request, trustProxyHops))
    return ofrep({
      flagKey: call.params.flag_key ?? null,
      headers: call.headers,
      body: await decodeOrNothing(call),
      clientIp: clientIpOf(call.request, trustProxyHops),
    })
  }

  return {
    capture: captureHandler,
    decide: decideHandler,
    config: (call) => decide.config(call),
    ofrep: ofrepHandler,
    browserList,
  }
}

/** What is no JSON is refused in the words of the protocol, not in ours. */
async function decodeOrNothing(call: DirectCall): Promise<Json | undefined> {
  try {
    return await decode(call, DECIDE_RULES)
  } catch (fault) {
    if (fault instanceof AppError && fault.code === "malformed_data") return undefined
    throw fault
  }
}

const decode = (call: DirectCall, rules: DecodeRules): Awaitable<Json> => decodeBody(toEncodedBody(call), rules)

const toEncodedBody = ({ headers, query, body }: DirectCall): EncodedBody => ({
  contentType: headers["content-type"],
  contentEncoding: headers["content-encoding"],
  query,
  body,
})
