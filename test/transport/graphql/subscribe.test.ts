import { describe, expect, test } from "@jest/globals"
import { type ExecutionResult, GraphQLInt, GraphQLObjectType, GraphQLSchema, parse } from "graphql"
import { AppError } from "../../../src/kernel/errors.js"
import type { RequestContext } from "../../../src/kernel/request-context.js"
import { findCause } from "../../../src/transport/graphql/present-graphql-error.js"
import { subscribe } from "../../../src/transport/graphql/subscribe.js"
import { SubscriptionResultCache } from "../../../src/transport/graphql/subscription-result-cache.js"
import { samplePermits } from "../support/sample-limits.js"

/** A subscription to numbers that come as `next` gives them, and how often its source was told to end. */
async function subscribeTo(next: () => Promise<number>, freshContext: () => Promise<RequestContext>) {
  const ends: string[] = []
  const source: AsyncIterableIterator<number> = {
    next: async () => ({ done: false, value: await next() }),
    return: async () => {
      ends.push("told to end")
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const tick = { type: GraphQLInt, subscribe: () => source, resolve: (value: number) => value }
  const query = new GraphQLObjectType({ name: "Query", fields: { tick: { type: GraphQLInt } } })
  const schema = new GraphQLSchema({
    query,
    subscription: new GraphQLObjectType({ name: "Subscription", fields: { tick } }),
  })
  const events = await subscribe({
    schema,
    document: parse("subscription { tick }"),
    variables: {},
    resultCache: new SubscriptionResultCache(),
    subscriber: { credential: "Bearer phx_good", freshContext },
    context: await freshContext(),
    permits: samplePermits(),
  })
  if (!(Symbol.asyncIterator in events)) throw new Error("the subscription did not start")
  return { events, ends }
}

const CONTEXT = { authenticationFault: null } as RequestContext
const FAULT = new AppError("store_unavailable")
const causesOf = (value: unknown) => (value as ExecutionResult | undefined)?.errors?.map(findCause)

describe("a subscription", () => {
  test("whose context cannot be made for an event ends with the fault, and its source ends too", async () => {
    let contexts = 0
    const freshContext = async () => {
      contexts += 1
      if (contexts === 3) throw FAULT
      return CONTEXT
    }
    const { events, ends } = await subscribeTo(async () => 1, freshContext)
    expect(await events.next()).toMatchObject({ done: false, value: { data: { tick: 1 } } })
    const { done, value } = await events.next()
    expect([done, causesOf(value)]).toEqual([false, [FAULT]])
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(ends).toHaveLength(1)
  })

  test("whose source fails ends with the fault", async () => {
    const { events, ends } = await subscribeTo(
      () => Promise.reject(FAULT),
      async () => CONTEXT,
    )
    expect(causesOf((await events.next()).value)).toEqual([FAULT])
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(ends).toHaveLength(1)
  })
})
