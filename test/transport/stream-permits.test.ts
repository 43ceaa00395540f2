import { describe, expect, test } from "@jest/globals"
import { buildSchema, type DocumentNode, parse } from "graphql"
import { asProjectId } from "../../src/kernel/ids.js"
import type { RequestContext } from "../../src/kernel/request-context.js"
import { findCause } from "../../src/transport/graphql/present-graphql-error.js"
import { subscribe } from "../../src/transport/graphql/subscribe.js"
import { SubscriptionResultCache } from "../../src/transport/graphql/subscription-result-cache.js"
import { samplePermits } from "./support/sample-limits.js"

const ONE = asProjectId(1)
const DOCUMENT: DocumentNode = parse("subscription { ticks }")

/** Subscribes to ticks of a project; what its guard lets in is what the permit is for. */
async function follow(projectId: number, permits = samplePermits()) {
  const ends: number[] = []
  const context = {
    authenticationFault: null,
    access: { requireProject: async (_context: RequestContext, id: string) => asProjectId(Number(id)) },
  } as unknown as RequestContext
  const schema = buildSchema("type Query { a: Int } type Subscription { ticks: Int }")
  const field = schema.getSubscriptionType()?.getFields().ticks
  if (field !== undefined)
    field.subscribe = async (_root, _args, given: RequestContext) => {
      await given.access.requireProject(given, String(projectId), "query:read")
      return {
        next: () => new Promise(() => undefined),
        return: async () => ({ done: true, value: ends.push(projectId) }),
        [Symbol.asyncIterator]() {
          return this
        },
      }
    }
  const started = subscribe({
    schema,
    document: DOCUMENT,
    variables: {},
    resultCache: new SubscriptionResultCache(),
    subscriber: { credential: "", freshContext: async () => context },
    context,
    permits,
  })
  return { started, ends }
}

describe("permits of streams", () => {
  test("a project has so many subscriptions, and another its own", async () => {
    const permits = samplePermits({ perProject: 1 })
    const first = await (await follow(1, permits)).started
    const second = await follow(1, permits)
    await expect(second.started).rejects.toMatchObject({ code: "rate_limited" })
    expect(second.ends).toEqual([1])
    expect(Symbol.asyncIterator in (await (await follow(2, permits)).started)).toBe(true)
    if (!(Symbol.asyncIterator in first)) throw findCause(first.errors?.[0] as never)
    await first.return()
    expect(Symbol.asyncIterator in (await (await follow(1, permits)).started)).toBe(true)
  })

  test("an address has so many, whatever it follows", () => {
    const permits = samplePermits({ perAddress: 1 })
    const from = (remoteAddress: string) => ({ headers: {}, socket: { remoteAddress } }) as never
    const giveBack = permits.takeFor(from("192.0.2.1"))
    expect(() => permits.takeFor(from("192.0.2.1"))).toThrow("One client address has at most 1 streams at a time.")
    permits.takeFor(from("192.0.2.2"))
    permits.takeForProject(ONE)
    giveBack()
    permits.takeFor(from("192.0.2.1"))
  })
})
