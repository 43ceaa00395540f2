import type { IncomingMessage } from "node:http"
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from "graphql"
import { type Context, makeServer, type Server } from "graphql-ws"
import type { WebSocket } from "ws"
import { AppError, ERRORS } from "../../kernel/errors.js"
import { streamUntilLeft } from "../../kernel/stream-until-left.js"
import type { ConsumeRateLimit } from "../rate-limit.js"
import type { StreamPermits } from "../stream-permits.js"
import { readSocketSession } from "../wire/browser-session.js"
import { type Caller, type CreateContext, describeCredential } from "../wire/caller.js"
import type { OnDefect } from "../wire/public-fault.js"
import { type CostExtensions, checkOperation, type OperationRules } from "./check-operation.js"
import type { Introspect } from "./introspection.js"
import { describeUse } from "./operation-extensions.js"
import { runCounted } from "./operation-metrics.js"
import { toGraphqlError } from "./present-graphql-error.js"
import { presentErrors, presentResult } from "./present-result.js"
import { type Events, type Subscriber, subscribe, toFailure } from "./subscribe.js"
import { SubscriptionResultCache } from "./subscription-result-cache.js"

/** Shorter messages are copied, which is cheaper than sending one in three frames. */
const MIN_CHARACTERS_IN_BYTES = 16_384

/** Rules of operations that come over sockets and streams. */
export interface SocketRules extends OperationRules {
  readonly createContext: CreateContext
  readonly consumeRateLimit: ConsumeRateLimit
  readonly permits: StreamPermits
  readonly introspect: Introspect
  /** Address of the site where that is not what requests name as their host. */
  readonly siteUrl: string | null
  readonly watchSessionEnds: WatchSessionEnds
  readonly onDefect: OnDefect
}

/** Calls `listener` whenever browser sessions may have ended, until what it returns is called. */
export type WatchSessionEnds = (listener: () => void) => () => void

/** What is kept beside each socket. */
export interface SocketCall {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  /**
   * Sends the pieces as one message. Resolves once it has left, which holds back the next event for a client that reads
   * slowly.
   */
  readonly send: (pieces: Pieces) => Promise<void>
  /** Whether `connection_init` came with a valid key. */
  hasKey: boolean
  /** Set by `connection_init`; its `freshContext` authenticates again each time it is called. */
  subscriber: Subscriber | null
}

/** The text of one message; large ones that many sockets get are in bytes, which are not copied for each of them. */
export type Pieces = readonly [string] | readonly [string, Buffer, string]

/** One operation of a socket, under the id that the client gave it. */
interface SocketOperationCall {
  readonly id: string
  readonly call: SocketCall
  readonly extensions: CostExtensions
}

type SocketContext = Context<Record<string, unknown>, SocketCall>

/**
 * The `graphql-transport-ws` protocol on top of our own checks, contexts and error presenter. A key that is not valid
 * closes with 4403; no key at all is let in for a while, and each resolver says what it needs.
 */
export function createSocketProtocol(rules: SocketRules): Server<SocketCall> {
  const resultCache = new SubscriptionResultCache()
  const written = new WeakMap<ExecutionResult, string | Buffer>()
  const presented = (result: ExecutionResult) => presentResult(result, rules.onDefect)
  /** A result that many subscriptions share is written once. */
  const write = (result: ExecutionResult): string | Buffer => {
    const before = written.get(result)
    if (before !== undefined) return before
    const text = JSON.stringify(presented(result))
    const shown = text.length < MIN_CHARACTERS_IN_BYTES ? text : Buffer.from(text)
    written.set(result, shown)
    return shown
  }
  const counted = <T extends object>(args: ExecutionArgs, run: () => Promise<T>): Promise<T | ExecutionResult> =>
    runCounted<T | ExecutionResult>(rules.count, { ...args, transport: "websocket" }, () => asResult(run))
  return makeServer<Record<string, unknown>, SocketCall>({
    connectionInitWaitTimeout: rules.limits.connectionInitTimeoutMs,
    onConnect: async (context) => {
      const caller = readCaller(context, rules.siteUrl)
      const freshContext = () => rules.createContext(caller)
      context.extra.subscriber = {
        credential: describeCredential(caller),
        isOfBrowser: caller.session !== undefined,
        freshContext,
      }
      const fresh = await freshContext()
      const { authenticationFault } = fresh
      if (authenticationFault === "absent") await rules.consumeRateLimit(fresh)
      context.extra.hasKey = authenticationFault === null
      return authenticationFault !== "invalid"
    },
    onSubscribe: (context, id, payload) => {
      if (Object.keys(context.subscriptions).length > rules.limits.maxSubscriptionsPerSocket) return [tooMany(rules)]
      const checked = checkOperation(rules, payload)
      if ("errors" in checked) return checked.errors
      const { args, extensions } = checked
      return { ...args, contextValue: { id, call: context.extra, extensions } satisfies SocketOperationCall }
    },
    execute: (args) =>
      counted(args, async () => {
        const { context } = await rules.consumeRateLimit(await requireSubscriber(args).freshContext())
        const extensions = describeUse(toOperationCall(args).extensions, context)
        const known = rules.introspect(args, context)
        return { ...(known?.result ?? (await execute({ ...args, contextValue: context }))), extensions }
      }),
    subscribe: (args) =>
      counted(args, async () => {
        const { schema, document, operationName } = args
        const variables = args.variableValues ?? {}
        const subscriber = requireSubscriber(args)
        const { context } = await rules.consumeRateLimit(await subscriber.freshContext())
        const { permits } = rules
        const { id, call, extensions } = toOperationCall(args)
        const what = { schema, document, operationName, variables, extensions, resultCache }
        const events = await subscribe({ ...what, subscriber, context, permits })
        if (!(Symbol.asyncIterator in events)) return events
        const head = `{"id":${JSON.stringify(id)},"type":"next","payload":`
        return deliver(events, (result) => {
          const payload = write(result)
          return call.send(typeof payload === "string" ? [`${head}${payload}}`] : [head, payload, "}"])
        })
      }),
    onNext: (_context, _id, _payload, _args, result) => presented(result),
    onError: (_context, _id, _payload, errors) => presentErrors(errors, rules.onDefect),
  })
}

const toOperationCall = (args: ExecutionArgs): SocketOperationCall => args.contextValue as SocketOperationCall

function requireSubscriber(args: ExecutionArgs): Subscriber {
  const { subscriber } = toOperationCall(args).call
  if (subscriber === null) throw new Error("an operation came before connection_init")
  return subscriber
}

/**
 * Sends events as they come, each once the one before it has left. To the protocol it is a stream that ends when they do and
 * gives nothing: its own way to send would write every result again for each subscription.
 */
const deliver = (events: Events, send: (result: ExecutionResult) => Promise<void>) =>
  streamUntilLeft<ExecutionResult>({ next: () => sendAll(events, send) }, () => events.return())

async function sendAll(events: Events, send: (result: ExecutionResult) => Promise<void>) {
  for await (const result of events) await send(result)
  return { done: true, value: undefined } as const
}

function readCaller({ extra: { request }, connectionParams }: SocketContext, siteUrl: string | null): Caller {
  const given = connectionParams?.Authorization ?? connectionParams?.authorization
  const authorization = typeof given === "string" ? given : request.headers.authorization
  return { authorization, session: readSocketSession(request, connectionParams, siteUrl), request }
}

const tooMany = ({ limits }: SocketRules): GraphQLError =>
  toGraphqlError(
    new AppError("rate_limited", {
      detail: `One socket carries at most ${limits.maxSubscriptionsPerSocket} operations at a time.`,
    }),
    ERRORS.rate_limited.status,
  )

/** A failing context (a store that is down) is an error of the operation, not of the socket. */
async function asResult<T>(work: () => Promise<T>): Promise<T | ExecutionResult> {
  try {
    return await work()
  } catch (thrown) {
    return toFailure(thrown)
  }
}
