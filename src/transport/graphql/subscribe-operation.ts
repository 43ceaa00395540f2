import type { GraphQLSchema } from "graphql"
import { type JsonObject, toStorableJson } from "../../kernel/json.js"
import type { RequestContext } from "../../kernel/request-context.js"
import { type Stream, streamUntilLeft } from "../../kernel/stream-until-left.js"
import type { StreamPermits } from "../stream-permits.js"
import { createOperationParser, firstFault } from "./execute-operation.js"
import { type Events, type Subscriber, subscribe } from "./subscribe.js"
import { SubscriptionResultCache } from "./subscription-result-cache.js"

/** Follows one of our own constant subscriptions in process, begun in `context`: the data of each event, one object for equal subscribers. */
export type SubscribeOperation = (
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  subscriber: Subscriber,
  context: RequestContext,
) => Promise<Stream<Record<string, unknown>>>

/** Makes the subscriber behind REST rows of events. It throws the AppError that a resolver threw, at any event. */
export function createOperationSubscriber(
  schema: GraphQLSchema,
  permits: Pick<StreamPermits, "takeForProject">,
): SubscribeOperation {
  const parseOnce = createOperationParser(schema)
  const resultCache = new SubscriptionResultCache()
  return async (operation, variables, subscriber, context) => {
    const document = parseOnce(operation)
    const events = await subscribe({
      schema,
      document,
      variables: toStorableJson(variables as JsonObject),
      subscriber,
      context,
      permits,
      resultCache,
    })
    if (!(Symbol.asyncIterator in events)) throw firstFault(events.errors ?? [])
    return streamUntilLeft(toData(events), () => events.return())
  }
}

async function* toData(events: Events): AsyncGenerator<Record<string, unknown>> {
  for await (const { data, errors = [] } of events) {
    if (errors.length > 0) throw firstFault(errors)
    yield data ?? {}
  }
}
