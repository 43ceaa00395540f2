import { afterEach, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway | null = null
afterEach(() => gateway?.close())

/** Statuses of queries to a gateway at which all requests without a key are used up. */
async function statusesOf(queries: readonly string[], headers: Record<string, string> = {}): Promise<number[]> {
  gateway = await startGateway({
    openQueries: ["f"],
    consumeRateLimit: async (context) => {
      if (context.principal === null) throw new AppError("rate_limited", { retryAfterSeconds: 7 })
      return { context, headers: {} }
    },
  })
  const { url } = gateway
  const answers = queries.map((query) =>
    fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ query }),
    }),
  )
  return (await Promise.all(answers)).map(({ status }) => status)
}

test("a request without a key is refused once too many came, unless it asks only what takes a project key", async () => {
  const queries = [
    "{ __typename }",
    "{ f(a: 1) analytics }",
    "{ f(a: 1) }",
    "{ a: f(a: 1) b: f(a: 2) }",
    "{ ...F } fragment F on Query { analytics }",
  ]
  expect(await statusesOf(queries)).toEqual([429, 429, 200, 200, 429])
})

test("one with a key goes on", async () => {
  expect(await statusesOf(["{ __typename }"], { Authorization: `Bearer ${GOOD_KEY}` })).toEqual([200])
})
