import type { IncomingMessage } from "node:http"
import { LRUCache } from "lru-cache"
import type { Clock } from "../../kernel/clock.js"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { Reply } from "../../kernel/reply.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { noteRoute } from "../../kernel/request-note.js"
import type { ByteBudget, ByteLease } from "../../platform/limits/byte-budget.js"
import type { ExecuteOperation } from "../graphql/execute-operation.js"
import type { HotHandler } from "../http-server.js"
import { type ConsumeRateLimit, unlimited } from "../rate-limit.js"
import { isAcceptable } from "../wire/accepts.js"
import type { CreateContext } from "../wire/caller.js"
import { readSenderIp } from "../wire/client-ip.js"
import { compressReply } from "../wire/compress-reply.js"
import { anyOriginHeaders } from "../wire/cors.js"
import { tagReply } from "../wire/entity-tag.js"
import { type OnDefect, toPublicFault } from "../wire/public-fault.js"
import { sendReply, toErrorReply } from "../wire/send-reply.js"
import { IGNORED_FIELDS, nameIgnoredFields } from "./ignored-fields.js"
import { readManagementBody } from "./management-body.js"
import type { DirectRow, OperationRoute, RefusedRoute, RestRequest, RestRoute } from "./rest-route.types.js"
import { type RoutedRequest as Call, createRouteTable, type RouteMatch } from "./route-table.js"
import { runDirect } from "./run-direct.js"
import { type OpenReply, openEvents, openPieces, type StreamSupport, untilGone } from "./run-stream.js"

/** Media types that no row is refused for (`docs/contract/management.md#error-body`, status 406). */
const ALWAYS_OFFERED = ["application/json", "text/csv"]
/** Of a path that is in the table, with a method that is not. */
const NO_ROW = "none"
const NO_QUERY = new URLSearchParams()
/** Such as `v=3`; longer ones hold times and ids, and never come again. */
const MAX_REMEMBERED_QUERY_CHARACTERS = 32
const MAX_REMEMBERED_QUERIES = 500

export interface RestRunnerOptions {
  readonly routes: readonly RestRoute[]
  readonly createContext: CreateContext
  readonly executeOperation: ExecuteOperation
  readonly streams: StreamSupport
  /** Nobody is limited when absent. */
  readonly consumeRateLimit?: ConsumeRateLimit
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxyHops: number
  readonly clock: Clock
  /** What bodies may take of the memory. */
  readonly bodyMemory: ByteBudget
  readonly onDefect: OnDefect
  /** Called when a row answers a status it does not declare; tests throw, production logs. */
  readonly onUndeclaredStatus: (routeId: string, status: number) => void
  /** Called once for every answer, with the row's id, or `none` for a method that no row has. */
  readonly onReply?: (routeId: string, status: number, durationMs: number) => void
}

/** Every row but the hot ones, which `runDirect` answers. */
type ManagedRoute = Exclude<RestRoute, DirectRow>
/** Of those the ones that some keys may use. */
type ScopedRoute = Exclude<ManagedRoute, RefusedRoute>

/**
 * Makes the one runner of all rows: match, read the body, authenticate, execute, present. Answers false for a path
 * that is in no row. There is nothing in it about any single row.
 */
export function createRestRunner(options: RestRunnerOptions): HotHandler {
  const matchRoute = createRouteTable(options.routes)
  return (request, response) => {
    const url = request.url ?? ""
    const queryAt = url.indexOf("?")
    const path = queryAt < 0 ? url : url.slice(0, queryAt)
    const match = matchRoute(path)
    if (match === null) return false
    const query = queryAt < 0 ? NO_QUERY : readQuery(url.slice(queryAt + 1))
    const route = match.rows.byMethod.get(request.method ?? "") ?? null
    const call = { request, response, path, query, match }
    noteRoute(route?.id ?? NO_ROW)
    if (route?.target === "direct") runDirect(options, call, route)
    else
      answer(options, call, route).catch((thrown: unknown) => {
        if (!(thrown instanceof AppError)) options.onDefect(thrown)
        response.destroy()
      })
    return true
  }
}

const queries = new LRUCache<string, URLSearchParams>({
  max: MAX_REMEMBERED_QUERIES,
  memoMethod: (text) => new URLSearchParams(text),
})

/** Queries are only read, so that requests with the same one share it. */
const readQuery = (text: string): URLSearchParams =>
  text.length > MAX_REMEMBERED_QUERY_CHARACTERS ? new URLSearchParams(text) : queries.memo(text)

async function answer(options: RestRunnerOptions, call: Call, route: ManagedRoute | null): Promise<void> {
  const startedAtMs = performance.now()
  const { request, response, query } = call
  const { rows } = call.match
  const headers = rows.anyOrigin ? anyOriginHeaders(request.headers, rows.allow, query) : {}
  const lease = options.bodyMemory.open(readSenderIp(request, options.trustProxyHops))
  response.once("close", lease.release)
  const opened = await toReply(options, call, route, headers, lease)
  const isSent = typeof opened === "function"
  const reply = isSent ? await opened(response, headers) : await conclude(opened, request, route)
  if (!isSent) sendReply(response, reply)
  options.onReply?.(route?.id ?? NO_ROW, reply.status, performance.now() - startedAtMs)
}

/** A read is tagged, so that a client that has it gets no body; every answer is compressed as the client accepts. */
async function conclude(reply: Reply, { headers }: IncomingMessage, route: ManagedRoute | null): Promise<Reply> {
  const isRead = route?.method === "GET" && route.target === "operation"
  return compressReply(isRead ? tagReply(reply, headers) : reply, headers)
}

async function toReply(
  options: RestRunnerOptions,
  call: Call,
  route: ManagedRoute | null,
  headers: Readonly<Record<string, string>>,
  lease: ByteLease,
): Promise<Reply | OpenReply> {
  try {
    if (route === null && call.request.method === "OPTIONS") return { status: 204, headers: allowed(call, headers) }
    if (route === null) return refuseMethod(call, headers, options)
    const reply = await run(options, call, route, lease)
    if (typeof reply === "function") return reply
    if (!route.statuses.includes(reply.status)) options.onUndeclaredStatus(route.id, reply.status)
    return { ...reply, headers: { ...(reply.status === 405 ? allowed(call, headers) : headers), ...reply.headers } }
  } catch (thrown) {
    const fault = toPublicFault(thrown, options.onDefect)
    return toErrorReply(fault, fault.status === 405 ? allowed(call, headers) : headers)
  }
}

function refuseMethod(call: Call, headers: Readonly<Record<string, string>>, options: RestRunnerOptions): Reply {
  const detail = `Method "${call.request.method}" not allowed.`
  const fault = toPublicFault(new AppError("method_not_allowed", { detail }), options.onDefect)
  return toErrorReply(fault, allowed(call, headers))
}

const allowed = ({ match }: Call, headers: Readonly<Record<string, string>>) => ({
  ...headers,
  Allow: match.rows.allow,
})

async function run(
  options: RestRunnerOptions,
  call: Call,
  route: ManagedRoute,
  { hold }: ByteLease,
): Promise<Reply | OpenReply> {
  const { request, query, match } = call
  const takes = toBodyKind(route)
  const createContext = (body?: Json): Promise<RequestContext> =>
    options.createContext({
      authorization: request.headers.authorization,
      body,
      queryParameter: query.get("personal_api_key") ?? undefined,
      request,
      response: call.response,
    })
  // A key in the head is checked before the body is read, and with a wrong one in its header it is not read at all. One in
  // the query says no more than who may send a file: a key in the body goes before it.
  const early = takes === "none" ? null : await createContext()
  const isSettled = early?.credentialSource === "Authorization header"
  const readsBody = takes !== "none" && !(isSettled && early.authenticationFault === "invalid")
  const admission = { hasKey: early?.authenticationFault === null, hold }
  const body = await attempt(() => (readsBody ? readManagementBody(request, takes, admission) : undefined))
  const freshContext = (): Promise<RequestContext> => createContext(body.value)
  const { context, headers } = await (options.consumeRateLimit ?? unlimited)(isSettled ? early : await freshContext())
  call.response.setHeaders(new Map(Object.entries(headers)))
  if (route.target === "refused") return context.access.refuseKeys(context)
  if (!isAcceptable(request.headers.accept, [...ALWAYS_OFFERED, ...(route.doc.alsoAs ?? [])])) {
    await guard(context, route, match)
    throw new AppError("not_acceptable")
  }
  if (route.target === "guarded") {
    await guard(context, route, match)
    return route.reply()
  }
  const ignored = route.target === "events" ? null : nameIgnoredFields(body.value, route.bodyFields)
  if (ignored !== null) call.response.setHeader(IGNORED_FIELDS, ignored)
  const rest: RestRequest = { ...toRestRequest(call, context.baseUrl, options), body: body.value ?? {} }
  const { streams } = options
  if (route.target === "events") {
    const giveBack = streams.permits.takeFor(request)
    const signal = untilGone(call.response, streams.closing, giveBack)
    const credential = JSON.stringify([request.headers.authorization, query.get("personal_api_key")])
    return openEvents(streams, route, rest, { subscriber: { credential, freshContext }, context }, signal)
  }
  if (context.authenticationFault === "invalid") await guard(context, route, match)
  const variables = await attempt(() => {
    if (body.fault !== undefined) throw body.fault
    return route.variables(rest)
  })
  if (variables.fault !== undefined) {
    // Who may not see the project learns that, not what is wrong with the body.
    await guard(context, route, match)
    throw variables.fault
  }
  if (route.target === "download") {
    const projectId = await guard(context, route, match)
    const download = streams.downloads[route.download]
    if (download === undefined || projectId === null) throw new Error(`nothing makes the bytes of ${route.id}`)
    const signal = untilGone(call.response, streams.closing)
    return openPieces(await download(projectId, variables.value as never, { context, signal }), signal)
  }
  const data = await options.executeOperation(route.operation, variables.value as Record<string, unknown>, context)
  return route.reply(data, rest)
}

/** What a row takes as its body; one that refuses everybody looks into it too, because the key may stand there. */
function toBodyKind(route: ManagedRoute): OperationRoute["body"] {
  if (route.target === "operation") return route.body
  const isRefusedChange = route.target === "refused" && route.method !== "GET" && route.method !== "DELETE"
  return route.target === "download" || isRefusedChange ? "json" : "none"
}

const toRestRequest = (call: Call, baseUrl: string, { clock }: RestRunnerOptions): Omit<RestRequest, "body"> => ({
  params: call.match.params,
  query: call.query,
  headers: call.request.headers,
  path: call.path,
  baseUrl,
  receivedAtMs: clock.now(),
})

/** Returns the project of the path, or null when it has none. */
async function guard(
  context: RequestContext,
  { scope }: ScopedRoute,
  { params }: RouteMatch,
): Promise<ProjectId | null> {
  const { access } = context
  if (scope === null) await access.requirePrincipal(context, null, { openToBoundKeys: true })
  else if (params.project_id !== undefined) return access.requireProject(context, params.project_id, scope)
  else if (params.organization_id !== undefined)
    await access.requireOrganization(context, params.organization_id, scope)
  else await access.requirePrincipal(context, scope)
  return null
}

/** What `work` gave, or why it failed, to be looked at later. */
async function attempt<T>(work: () => T | Promise<T>): Promise<{ readonly value?: T; readonly fault?: unknown }> {
  try {
    return { value: await work() }
  } catch (fault) {
    return { fault }
  }
}
