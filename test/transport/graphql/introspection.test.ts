import { afterEach, expect, test } from "@jest/globals"
import { getIntrospectionQuery } from "graphql"
import { RateBudget } from "../../../src/platform/limits/rate-budget.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway | null = null
afterEach(() => gateway?.close())

/** Asks as often as there are queries, of which only the first is let through to be worked out. */
async function ask(...queries: readonly string[]) {
  const clock = { now: () => 0 }
  const introspections = new RateBudget({ perHolder: 1, holders: 1, clock, onRefused: () => undefined })
  gateway = await startGateway({ introspections })
  const answers: { readonly status: number; readonly text: string }[] = []
  for (const query of queries) {
    const headers = { "Content-Type": "application/json" }
    const answer = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) })
    answers.push({ status: answer.status, text: await answer.text() })
  }
  return answers
}

test("a question about the schema is worked out once, and answered alike however it is laid out", async () => {
  const query = getIntrospectionQuery()
  const [first, second, third] = await ask(query, query, query.replaceAll("\n", "  "))
  expect(first?.status).toBe(200)
  const { data, extensions } = JSON.parse(first?.text ?? "")
  expect(data.__schema.queryType.name).toBe("Query")
  expect(extensions.cost.requested).toBeGreaterThanOrEqual(0)
  expect([second, third]).toEqual([first, first])
})

test("another question counts, and too many are told when to come again", async () => {
  const [, second, third] = await ask(
    "{ __schema { queryType { name } } }",
    "{ __schema { types { name } } }",
    "{ __typename }",
  )
  expect(JSON.parse(second?.text ?? "").errors[0].extensions.code).toBe("RATE_LIMITED")
  expect(second?.status).toBe(429)
  expect(JSON.parse(third?.text ?? "").data).toEqual({ __typename: "Query" })
})
