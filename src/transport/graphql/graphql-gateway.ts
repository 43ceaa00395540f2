import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { type RequestHandler, Router } from "express"
import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST, Kind } from "graphql"
import { AppError } from "../../kernel/errors.js"
import type { JsonObject } from "../../kernel/json.js"
import type { ByteBudget } from "../../platform/limits/byte-budget.js"
import type { Logger } from "../../platform/logger/logger.js"
import { type ConsumeRateLimit, unlimited } from "../rate-limit.js"
import type { StreamPermits } from "../stream-permits.js"
import { readSession } from "../wire/browser-session.js"
import type { CreateContext } from "../wire/caller.js"
import { readSenderIp } from "../wire/client-ip.js"
import { parseJsonBody, refusePackedBody } from "../wire/json-body.js"
import type { OnDefect } from "../wire/public-fault.js"
import { type HoldBytes, readBody } from "../wire/read-body.js"
import { sendReply } from "../wire/send-reply.js"
import { answerIntrospection } from "./answer-introspection.js"
import { answerOperation } from "./answer-operation.js"
import { createApollo } from "./create-apollo.js"
import { type AdmitDocument, createDocumentGate } from "./document-gate.js"
import { createOperationExecutor, type ExecuteOperation } from "./execute-operation.js"
import { DEFAULT_GRAPHQL_LIMITS, type GraphqlLimits } from "./graphql-limits.js"
import { createIntrospection, type IntrospectionLimits } from "./introspection.js"
import type { CountOperation } from "./operation-metrics.js"
import { createOperationStreams } from "./operation-streams.js"
import { createPersistedDocuments, type PersistedDocuments } from "./persisted-documents.js"
import { presentAppError } from "./present-graphql-error.js"
import { createSocketProtocol, type SocketRules, type WatchSessionEnds } from "./socket-protocol.js"
import { createSocketServer } from "./socket-server.js"
import { createOperationSubscriber, type SubscribeOperation } from "./subscribe-operation.js"

export interface GraphqlGatewayOptions {
  /** What clients see. */
  readonly schema: GraphQLSchema
  /** What our own operations are of; the same schema when absent. */
  readonly operations?: GraphQLSchema
  readonly createContext: CreateContext
  /** Logs a defect and returns the id shown to the caller. */
  readonly onDefect: OnDefect
  readonly logger: Logger
  /** What bodies may take of the memory. */
  readonly bodyMemory: ByteBudget
  /** Number of proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxyHops: number
  /** Of questions about the schema. */
  readonly introspection: IntrospectionLimits
  /** Of sockets and streams. */
  readonly permits: StreamPermits
  readonly limits?: Partial<GraphqlLimits>
  /** Address of the site where that is not what requests name as their host; null or absent for a server without a proxy. */
  readonly siteUrl?: string | null
  /** Calls its argument whenever browser sessions may have ended, until it is stopped; never when absent. */
  readonly watchSessionEnds?: WatchSessionEnds
  /** Nobody is limited when absent. */
  readonly consumeRateLimit?: ConsumeRateLimit
  /** Points of single fields, keyed `Query.name`; all other prices follow from the schema. */
  readonly fieldCosts?: Readonly<Record<string, number>>
  /** Called for every operation that passed the checks, however it came; not for our own. Nothing is counted when absent. */
  readonly countOperation?: CountOperation
  /** Documents that requests may name, and whether these are all that is executed; none, and no, when absent. */
  readonly trusted?: TrustedDocuments
  /** Queries that take the key of a project as an argument: requests for these alone are not counted as without a key. */
  readonly openQueries?: readonly string[]
}

/** Documents that the operator trusts. */
export interface TrustedDocuments {
  /** Texts by name. */
  readonly documents: Readonly<Record<string, string>>
  /** Whether no others are executed. */
  readonly isExclusive: boolean
}

/** Everything that speaks GraphQL, to be put behind the HTTP server. */
export interface GraphqlGateway {
  /** Express handler of the GraphQL path. */
  readonly web: RequestHandler
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Runs one of our own operations in process; see `createOperationExecutor`. */
  readonly executeOperation: ExecuteOperation
  /** Follows one of our own subscriptions in process; see `createOperationSubscriber`. */
  readonly subscribeOperation: SubscribeOperation
  /**
   * Closes every socket with 1001, ends every stream and takes no new ones. Operations over HTTP go on until the server
   * is closed.
   */
  readonly close: (graceMs: number) => Promise<void>
}

/** Makes the GraphQL gateway on one schema: HTTP, sockets and in-process execution under the same rules. */
export async function createGraphqlGateway(options: GraphqlGatewayOptions): Promise<GraphqlGateway> {
  const { schema, createContext, permits, onDefect, logger } = options
  const { consumeRateLimit = unlimited, trusted = NONE_TRUSTED, operations: ownOperations = schema } = options
  const { siteUrl = null, watchSessionEnds = watchNothing } = options
  const limits = { ...DEFAULT_GRAPHQL_LIMITS, ...options.limits }
  const rules = {
    schema,
    limits,
    admit: createDocumentGate(limits, trusted.isExclusive ? Object.values(trusted.documents) : null),
    fieldCosts: options.fieldCosts ?? {},
    count: options.countOperation ?? countNothing,
  }
  const introspect = createIntrospection(schema, options.introspection)
  const apollo = await createApollo({ rules, onDefect, logger })
  const callers = { createContext, consumeRateLimit, permits, siteUrl, watchSessionEnds }
  const socketRules = { ...rules, ...callers, introspect, onDefect }
  const sockets = createSocketServer(createSocketProtocol(socketRules), { limits, permits, watchSessionEnds, logger })
  const streams = createOperationStreams(socketRules)
  const web = Router()
  web.all("/", refuseOtherMethods(onDefect))
  web.all("/", prepare(socketRules, createPersistedDocuments(trusted.documents), options), streams.handle)
  web.all("/", answerIntrospection(socketRules), answerOperation(apollo))
  return {
    web,
    handleUpgrade: sockets.handleUpgrade,
    executeOperation: createOperationExecutor(ownOperations),
    subscribeOperation: createOperationSubscriber(ownOperations, permits),
    // Apollo is not stopped: it holds nothing, and once stopped it would fail the requests still in flight.
    close: async (graceMs) => {
      streams.close()
      await sockets.close(graceMs)
    },
  }
}

const METHODS = new Set(["GET", "POST", "HEAD"])
const METHOD_NOT_ALLOWED = 405

/** Refuses other methods: Apollo would say that they may be forged. */
function refuseOtherMethods(onDefect: OnDefect): RequestHandler {
  return ({ method }, response, next) => {
    if (METHODS.has(method)) return next()
    const headers = { Allow: "GET, POST" }
    if (method === "OPTIONS") return sendReply(response, { status: 204, headers })
    const fault = new AppError("method_not_allowed", { detail: `Method "${method}" not allowed.` })
    const { status, error } = presentAppError(fault, onDefect)
    sendReply(response, { status, headers, body: { errors: [error] } })
  }
}

/** Everything before Apollo: media type, body size, JSON, document limits and the caller's context. */
function prepare(
  { admit, limits, createContext, consumeRateLimit, onDefect }: SocketRules,
  documents: PersistedDocuments,
  {
    bodyMemory,
    trustProxyHops,
    openQueries = [],
  }: Pick<GraphqlGatewayOptions, "bodyMemory" | "trustProxyHops" | "openQueries">,
): RequestHandler {
  return async (request, response, next) => {
    const lease = bodyMemory.open(readSenderIp(request, trustProxyHops))
    response.once("close", lease.release)
    try {
      const isPosted = request.method === "POST"
      const asked: unknown = isPosted ? await readJson(request, limits, lease.hold) : request.query
      const sent = isRecord(asked) ? documents.complete(asked) : asked
      request.body = isPosted ? sent : {}
      if (!isPosted && isRecord(sent) && sent !== asked) request.url = toLink(sent)
      let document: DocumentNode | null = null
      let isOpen = false
      if (isRecord(sent) && typeof sent.query === "string") {
        document = admitOrLeave(admit, sent.query)
        if (document !== null && !isPosted) refuseChange(document, sent.operationName)
        isOpen = document !== null && asksOnly(document, sent.operationName, openQueries)
      }
      const { authorization } = request.headers
      const fresh = await createContext({ authorization, session: readSession(request), request, response })
      const isCounted = !isOpen || fresh.authenticationFault !== "absent"
      const { context, headers } = await (isCounted ? consumeRateLimit : unlimited)(fresh)
      response.set(headers)
      response.locals.context = context
      response.locals.document = document
      if (document !== null && fresh.authenticationFault === null && isRecord(asked)) documents.remember(asked)
    } catch (thrown) {
      const { status, error } = presentAppError(thrown, onDefect)
      const headers: Record<string, string> = status === METHOD_NOT_ALLOWED ? { Allow: "POST" } : {}
      sendReply(response, { status, headers, body: { errors: [error] } })
      return
    }
    next()
  }
}

const countNothing: CountOperation = () => undefined

const watchNothing: WatchSessionEnds = () => () => undefined

const NONE_TRUSTED: TrustedDocuments = { documents: {}, isExclusive: false }

const isRecord = (value: unknown): value is JsonObject => typeof value === "object" && value !== null

/** The link of a request that named its document, as if it had been sent whole. */
function toLink(sent: JsonObject): string {
  const texts = Object.entries(sent).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  )
  return `/?${new URLSearchParams(Object.fromEntries(texts))}`
}

/** Passes only faults of limits on; Apollo words the faults of syntax. Null for what is not GraphQL. */
function admitOrLeave(admit: AdmitDocument, text: string): DocumentNode | null {
  try {
    return admit(text)
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown
    return null
  }
}

/**
 * Refuses mutations by GET before anything else is said of the operation: Apollo would first say that the request may
 * be forged or that the schema has no such field.
 */
function refuseChange(document: DocumentNode, operationName: unknown): void {
  const operation = getOperationAST(document, typeof operationName === "string" ? operationName : undefined)
  if (operation?.operation !== "mutation") return
  throw new AppError("method_not_allowed", { detail: "Mutations are sent by POST." })
}

/** Whether an operation is a query whose fields are all among these. */
function asksOnly(document: DocumentNode, operationName: unknown, fields: readonly string[]): boolean {
  const operation = getOperationAST(document, typeof operationName === "string" ? operationName : undefined)
  if (operation?.operation !== "query") return false
  return operation.selectionSet.selections.every((node) => node.kind === Kind.FIELD && fields.includes(node.name.value))
}

async function readJson(request: IncomingMessage, limits: GraphqlLimits, hold: HoldBytes): Promise<unknown> {
  const mediaType = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase()
  if (mediaType !== "application/json")
    throw new AppError("unsupported_media_type", { detail: "Send GraphQL requests as application/json." })
  refusePackedBody(request)
  return parseJsonBody(await readBody(request, limits.maxBodyBytes, hold))
}
