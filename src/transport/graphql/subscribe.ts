import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
} from "graphql"
import { AppError } from "../../kernel/errors.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { toGraphqlError } from "./present-graphql-error.js"

export interface Subscription {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName?: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Called once for the subscription itself and once for every event. */
  readonly freshContext: () => Promise<RequestContext>
}

type Events = AsyncGenerator<ExecutionResult, void, void>

/**
 * Subscribes with a fresh context for every event: graphql-js would keep one for the whole subscription, whose loaders
 * grow and go stale and whose key would count as valid for ever. Once the key is no longer valid the stream ends with
 * an UNAUTHENTICATED error; with the fault itself when the context of an event cannot be made (a store that is down) or the
 * source fails. Answers a single result when the subscription cannot start.
 */
export async function subscribe(subscription: Subscription): Promise<Events | ExecutionResult> {
  const { schema, document, variables, freshContext } = subscription
  const operationName = subscription.operationName ?? undefined
  const source = await createSourceEventStream({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: await freshContext(),
  })
  if (!(Symbol.asyncIterator in source)) return source
  return mapEvents(source[Symbol.asyncIterator](), async (event) => {
    const context = await freshContext()
    if (context.authenticationFault === "invalid") return { result: revoked(), last: true }
    const run = { schema, document, operationName, variableValues: variables, rootValue: event, contextValue: context }
    return { result: await execute(run), last: false }
  })
}

/** A fault outside of any resolver, as the result that carries it to the presenter. */
export function toFailure(thrown: unknown): ExecutionResult {
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { errors: [new GraphQLError(originalError.message, { originalError })] }
}

const revoked = (): ExecutionResult => ({ errors: [toGraphqlError(new AppError("authentication_failed"), 401)] })

/**
 * A hand-made iterator: an async generator's `return()` would wait for the pending `next()`, so a client that leaves
 * would hold its subscription until the next event.
 */
function mapEvents(
  source: AsyncIterator<unknown>,
  toResult: (event: unknown) => Promise<{ result: ExecutionResult; last: boolean }>,
): Events {
  let ended = false
  const end = async (): Promise<IteratorReturnResult<void>> => {
    ended = true
    await source.return?.()
    return { done: true, value: undefined }
  }
  return {
    next: async () => {
      if (ended) return { done: true, value: undefined }
      try {
        const event = await source.next()
        if (event.done || ended) return { done: true, value: undefined }
        const { result, last } = await toResult(event.value)
        if (last) await end()
        return { done: false, value: result }
      } catch (thrown) {
        // Nobody ends the source of an iterator that throws: it would go on listening for ever.
        await end()
        return { done: false, value: toFailure(thrown) }
      }
    },
    return: end,
    throw: async (thrown) => {
      await end()
      throw thrown
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => {
      await end()
    },
  }
}
