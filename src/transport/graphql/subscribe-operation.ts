import { type DocumentNode, type GraphQLSchema, parse, validate } from "graphql"
import { type JsonObject, toStorableJson } from "../../kernel/json.js"
import { repeatFrom } from "../realtime/repeat-from.js"
import { firstFault } from "./execute-operation.js"
import { SharedOutcomes } from "./shared-outcomes.js"
import { type Subscriber, subscribe } from "./subscribe.js"

/** Follows one of our own constant subscriptions in process: the data of each event, one object for equal subscribers. */
export type SubscribeOperation = (
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  subscriber: Subscriber,
) => Promise<AsyncIterableIterator<Record<string, unknown>>>

/** Makes the subscriber behind REST rows of events. It throws the AppError that a resolver threw, at any event. */
export function createOperationSubscriber(schema: GraphQLSchema): SubscribeOperation {
  const documents = new Map<string, DocumentNode>()
  const shared = new SharedOutcomes()
  const parseOnce = (text: string): DocumentNode => {
    const document = documents.get(text) ?? parse(text, { noLocation: true })
    if (documents.has(text)) return document
    const [fault] = validate(schema, document)
    if (fault !== undefined) throw new Error(`a subscription of a REST row does not fit the schema: ${fault.message}`)
    documents.set(text, document)
    return document
  }
  return async (operation, variables, subscriber) => {
    const document = parseOnce(operation)
    const events = await subscribe({
      schema,
      document,
      variables: toStorableJson(variables as JsonObject),
      subscriber,
      shared,
    })
    if (!(Symbol.asyncIterator in events)) throw firstFault(events.errors ?? [])
    return repeatFrom(events, async (push) => {
      for await (const { data, errors = [] } of events) {
        if (errors.length > 0) throw firstFault(errors)
        await push(data ?? {})
      }
    })
  }
}
