import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
} from "graphql"
import { AppError } from "../../kernel/errors.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { type Stream, streamUntilLeft } from "../../kernel/stream-until-left.js"
import { holdUntilLeft, type StreamPermits } from "../stream-permits.js"
import { toGraphqlError } from "./present-graphql-error.js"
import type { EventResult, SubscriptionResultCache } from "./subscription-result-cache.js"

/** Who follows a subscription. */
export interface Subscriber {
  /** The key or the session as it was given: everything that `freshContext` takes rights from. */
  readonly credential: string
  /** Whether that is a session, which ends at once. */
  readonly isOfBrowser?: boolean
  /** Called once for the subscription itself and once for every event that nobody equal has come to yet. */
  readonly freshContext: () => Promise<RequestContext>
}

/** A subscription to begin. */
export interface Subscription {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly subscriber: Subscriber
  /** In which it begins: made for this request and counted with it. */
  readonly context: RequestContext
  /** What every result says of itself besides its data. */
  readonly extensions?: ExecutionResult["extensions"]
  readonly permits: Pick<StreamPermits, "takeForProject">
  readonly resultCache: SubscriptionResultCache
}

/** The results of a subscription, one for each event. */
export type Events = Stream<ExecutionResult>

/**
 * Subscribes with a fresh context for every event: graphql-js would keep one for the whole subscription, whose loaders
 * grow and go stale and whose key would count as valid for ever. Equal subscriptions with the same key that come to an event
 * together share that context and the very result. Once the key is no longer valid the stream ends with
 * an UNAUTHENTICATED error; with the fault itself when the context of an event cannot be made (a store that is down) or the
 * source fails. Answers a single result when the subscription cannot start.
 */
export async function subscribe(subscription: Subscription): Promise<Events | ExecutionResult> {
  const { schema, document, variables, extensions, resultCache } = subscription
  const { freshContext, credential } = subscription.subscriber
  const { context: beginning, projectIds } = watchProjects(subscription.context)
  const operationName = subscription.operationName ?? undefined
  const source = await createSourceEventStream({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: beginning,
  })
  if (!(Symbol.asyncIterator in source)) return source
  const events = source[Symbol.asyncIterator]()
  const leave = await holdUntilLeft(events, projectIds, subscription.permits)
  const key = resultCache.toKey({ document, operationName, variables, credential })
  const executeFor = async (event: unknown): Promise<EventResult> => {
    // The address is that of one of several clients, so no result may depend on it.
    const context = { ...(await freshContext()), clientIp: "" }
    if (context.authenticationFault === "invalid") return { result: revoked(), isLast: true }
    const run = { schema, document, operationName, variableValues: variables, rootValue: event, contextValue: context }
    const executed = await execute(run)
    const result = extensions === undefined ? executed : { ...executed, extensions }
    noteCursor(result, event)
    return { result, isLast: false }
  }
  const results = toResults(events, (event) => resultCache.getOrExecute(event, key, () => executeFor(event)))
  return streamUntilLeft(results, leave)
}

const cursors = new WeakMap<ExecutionResult, string>()

/** Of an event that has one, whether or not the client selects it. */
function noteCursor(result: ExecutionResult, event: unknown): void {
  const cursor: unknown = typeof event === "object" && event !== null ? Reflect.get(event, "cursor") : null
  if (typeof cursor === "string") cursors.set(result, cursor)
}

/** The cursor of the event that a result is of: where a client goes on. Undefined for events without one. */
export const findCursor = (result: ExecutionResult): string | undefined => cursors.get(result)

/** A fault outside of any resolver, as the result that carries it to the presenter. */
export function toFailure(thrown: unknown): ExecutionResult {
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { errors: [new GraphQLError(originalError.message, { originalError })] }
}

/** The context, and the projects that its guard has let in. */
function watchProjects(context: RequestContext) {
  const projectIds = new Set<ProjectId>()
  const { access } = context
  const requireProject: RequestContext["access"]["requireProject"] = async (...asked) => {
    const projectId = await access.requireProject(...asked)
    projectIds.add(projectId)
    return projectId
  }
  return { context: { ...context, access: { ...access, requireProject } }, projectIds }
}

const revoked = (): ExecutionResult => ({ errors: [toGraphqlError(new AppError("authentication_failed"), 401)] })

/** A result for each event; the last is that of a failure or of a key that is no longer valid. */
async function* toResults(
  events: AsyncIterator<unknown>,
  toResult: (event: unknown) => Promise<EventResult>,
): AsyncGenerator<ExecutionResult> {
  try {
    for (let event = await events.next(); !event.done; event = await events.next()) {
      const { result, isLast } = await toResult(event.value)
      yield result
      if (isLast) return
    }
  } catch (thrown) {
    yield toFailure(thrown)
  }
}
