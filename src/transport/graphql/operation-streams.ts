import type { Request, RequestHandler, Response } from "express"
import { type ExecutionResult, execute, getOperationAST } from "graphql"
import { AppError } from "../../kernel/errors.js"
import type { Json } from "../../kernel/json.js"
import { createPeriodicTask } from "../../kernel/periodic-task.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { streamUntilLeft } from "../../kernel/stream-until-left.js"
import { type ServerSentEvent, sendEvents } from "../realtime/server-sent-events.js"
import { acceptedRanges } from "../wire/accepts.js"
import { readSession } from "../wire/browser-session.js"
import { describeCredential } from "../wire/caller.js"
import { sendReply } from "../wire/send-reply.js"
import { type AdmittedOperation, checkOperation } from "./check-operation.js"
import { describeUse } from "./operation-extensions.js"
import { runCounted } from "./operation-metrics.js"
import { presentAppError } from "./present-graphql-error.js"
import { presentResult } from "./present-result.js"
import { readOperation } from "./read-operation.js"
import type { SocketRules } from "./socket-protocol.js"
import { type Events, findCursor, type Subscriber, subscribe, toFailure } from "./subscribe.js"
import { SubscriptionResultCache } from "./subscription-result-cache.js"

/** GraphQL operations as server-sent events. */
export interface OperationStreams {
  /** Takes requests that accept events and passes on all others; the body is read and the context made by then. */
  readonly handle: RequestHandler
  /** Ends every stream, so that clients connect to another process, and takes no new ones. */
  close(): void
}

const RETRY_AFTER_SECONDS = 2
const EVENTS = "text/event-stream"
const NUMBER = /^\d+$/
const ANSWERED_AT_ONCE = ["application/json", "application/graphql-response+json", "application/*", "*/*"]

/**
 * GraphQL over server-sent events, a request for each operation ("distinct connections"): `next` with every result, then
 * `complete`. For what a socket cannot reach; the checks, contexts and errors are those of sockets. What is wrong with an
 * operation is a result too, because a browser's `EventSource` cannot read any other answer.
 */
export function createOperationStreams(rules: SocketRules): OperationStreams {
  const resultCache = new SubscriptionResultCache()
  const closing = new AbortController()

  async function start(request: Request, context: RequestContext): Promise<Events | ExecutionResult> {
    const checked = checkOperation(rules, readOperation(request))
    if ("errors" in checked) return checked
    return runCounted(rules.count, { ...checked.args, transport: "sse" }, () => run(request, context, checked))
  }

  async function run(
    request: Request,
    context: RequestContext,
    { args, extensions }: AdmittedOperation,
  ): Promise<Events | ExecutionResult> {
    const { schema, document, operationName } = args
    if (getOperationAST(document, operationName)?.operation !== "subscription") {
      const known = rules.introspect(args, context)
      const result = known?.result ?? (await execute({ ...args, contextValue: context }))
      return { ...result, extensions: describeUse(extensions, context) }
    }
    const subscriber = toSubscriber(rules, request)
    const variables = args.variableValues ?? {}
    const what = { schema, document, operationName, variables, extensions, resultCache }
    const resuming = { ...context, resumesAfter: readLastEventId(request) }
    return subscribe({ ...what, subscriber, context: resuming, permits: rules.permits })
  }

  async function stream(request: Request, response: Response): Promise<void> {
    const gone = new AbortController()
    response.once("close", () => gone.abort())
    // A client that left while the request was read gets no stream: it would wait for that client for good.
    if (response.destroyed) gone.abort()
    const started = await start(request, response.locals.context as RequestContext).catch(toFailure)
    const results = Symbol.asyncIterator in started ? started : toSingle(started)
    const shown = toServerSent(results, (result) => presentResult(result, rules.onDefect) as Json)
    const events = streamUntilLeft(shown, () => results.return(undefined))
    const { freshContext, isOfBrowser } = toSubscriber(rules, request)
    const endWithKey = async (): Promise<void> => {
      if ((await freshContext()).authenticationFault === "invalid") gone.abort()
    }
    // A store that is down is no reason to throw clients out; the next check decides.
    const check = (): Promise<void> => endWithKey().catch(() => undefined)
    const checks = createPeriodicTask(rules.limits.socketCheckIntervalMs, check)
    checks.start()
    const stopWatching = rules.watchSessionEnds(() => {
      if (isOfBrowser === true) void check()
    })
    const signal = AbortSignal.any([gone.signal, closing.signal])
    await sendEvents(response, null, events, { headers: {}, signal }).finally(() => {
      stopWatching()
      void checks.stop()
    })
  }

  async function answer(request: Request, response: Response): Promise<void> {
    try {
      if (closing.signal.aborted) throw new AppError("store_unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS })
      const giveBack = rules.permits.takeFor(request)
      await stream(request, response).finally(giveBack)
    } catch (thrown) {
      const { status, error } = presentAppError(thrown, rules.onDefect)
      sendReply(response, { status, body: { errors: [error] } })
    }
  }

  return {
    handle: (request, response, next) => {
      if (wantsEvents(request, rules)) void answer(request, response)
      else next()
    },
    close: () => closing.abort(),
  }
}

/** Clients that can read both get events for what does not end by itself. */
function wantsEvents(request: Request, rules: SocketRules): boolean {
  const ranges = acceptedRanges(request.headers.accept)
  // An answer to HEAD has no events: it would only keep its connection waiting for them.
  if (!ranges.includes(EVENTS) || request.method === "HEAD") return false
  if (!ANSWERED_AT_ONCE.some((range) => ranges.includes(range))) return true
  try {
    const { query, operationName } = readOperation(request)
    return getOperationAST(rules.admit(query), operationName)?.operation === "subscription"
  } catch {
    return false
  }
}

function toSubscriber({ createContext }: SocketRules, request: Request): Subscriber {
  const { authorization } = request.headers
  const caller = { authorization, session: readSession(request), request }
  return {
    credential: describeCredential(caller),
    isOfBrowser: caller.session !== undefined,
    freshContext: () => createContext(caller),
  }
}

/** What the client received last; null where that had no cursor, and stood under its number. */
function readLastEventId(request: Request): string | null {
  const id = request.get("last-event-id") ?? ""
  return id === "" || NUMBER.test(id) ? null : id
}

/** Every result under its cursor, or its number where it has none, then `complete`. */
async function* toServerSent(
  results: AsyncIterable<ExecutionResult>,
  present: (result: ExecutionResult) => Json,
): AsyncGenerator<ServerSentEvent> {
  let sequence = 0
  let cursor: string | undefined
  for await (const result of results) {
    cursor = findCursor(result)
    yield { id: cursor ?? String(++sequence), event: "next", data: present(result), isLast: false }
  }
  // A cursor stays the last id, so that a browser that connects again goes on there.
  yield { id: cursor ?? String(++sequence), event: "complete", isLast: true }
}

async function* toSingle(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield result
}
