import { afterEach, expect, test } from "@jest/globals"
import { getIntrospectionQuery } from "graphql"
import { RateBudget } from "../../../src/platform/limits/rate-budget.js"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway | null = null
afterEach(() => gateway?.close())

const budgetOf = (perHolder: number): RateBudget =>
  new RateBudget({ perHolder, holders: 1, clock: { now: () => 0 }, onRefused: () => undefined })

interface Answer {
  readonly status: number
  readonly text: string
}

/** Starts a gateway at which so many questions are worked out, and so many are answered without a key. */
async function start({ newTexts = 1, keyless = 100 } = {}) {
  gateway = await startGateway({ introspection: { newTexts: budgetOf(newTexts), keyless: budgetOf(keyless) } })
  const { url } = gateway
  const read = async (sent: Promise<Response>): Promise<Answer> => {
    const answer = await sent
    return { status: answer.status, text: await answer.text() }
  }
  const headers = { "Content-Type": "application/json" }
  return {
    url,
    post: (query: string, more: Record<string, string> = {}): Promise<Answer> =>
      read(
        fetch(`${url}/graphql`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ query }) }),
      ),
    follow: (query: string, more: Record<string, string> = {}): Promise<Answer> =>
      read(fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers: more })),
  }
}

const codeOf = ({ text }: Answer): unknown => JSON.parse(text).errors?.[0].extensions.code

test("a question about the schema is worked out once, and answered alike however it is laid out and sent", async () => {
  const { post, follow } = await start()
  const query = getIntrospectionQuery()
  const first = await post(query)
  expect(first.status).toBe(200)
  const { data, extensions } = JSON.parse(first.text)
  expect(data.__schema.queryType.name).toBe("Query")
  expect(extensions.cost.requested).toBeGreaterThanOrEqual(0)
  expect(await post(query)).toEqual(first)
  expect(await post(query.replaceAll("\n", "  "))).toEqual(first)
  expect(await follow(query)).toEqual(first)
})

test("it is answered as the media type that is asked for, and refused as any other", async () => {
  const { url } = await start()
  const ask = (accept: string) =>
    fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify({ query: "{ __schema { queryType { name } } }" }),
    })
  const type = (answer: Response) => answer.headers.get("content-type")
  expect(type(await ask("*/*"))).toBe("application/json; charset=utf-8")
  const graphql = await ask("application/graphql-response+json, application/json;q=0.9")
  expect(type(graphql)).toBe("application/graphql-response+json; charset=utf-8")
  expect(await graphql.json()).toMatchObject({ data: { __schema: { queryType: { name: "Query" } } } })
  expect((await ask("image/png")).status).toBe(406)
})

test("a question that is wrong is told what is wrong with it", async () => {
  const { post } = await start()
  const answer = await post("{ __schema { nothing } }")
  expect(answer.status).toBe(400)
  expect(codeOf(answer)).toBe("GRAPHQL_VALIDATION_FAILED")
})

test("another question counts, and too many are told when to come again", async () => {
  const { post } = await start()
  expect((await post("{ __schema { queryType { name } } }")).status).toBe(200)
  const second = await post("{ __schema { types { name } } }")
  expect(codeOf(second)).toBe("RATE_LIMITED")
  expect(second.status).toBe(429)
  expect(JSON.parse((await post("{ __typename }")).text).data).toEqual({ __typename: "Query" })
})

test.each([
  ["beside other things", "{ __schema { queryType { name } } f(a: 1) }"],
  ["in a fragment", "{ ...F } fragment F on Query { __schema { queryType { name } } f(a: 1) }"],
  ["in a fragment without a name", '{ ... { __type(name: "Query") { name } } f(a: 1) }'],
])("who asks for the schema %s is counted each time", async (_where, query) => {
  const { post } = await start()
  expect(JSON.parse((await post(query)).text)).toMatchObject({ data: { f: expect.anything() } })
  expect((await post(query)).status).toBe(429)
})

test("a fragment about the schema alone is remembered like the question itself", async () => {
  const { post } = await start()
  const query = "{ ...F } fragment F on Query { __schema { queryType { name } } }"
  expect((await post(query)).status).toBe(200)
  expect((await post(query)).status).toBe(200)
})

test("without a key even known answers are limited, and with one they are not", async () => {
  const { post, follow } = await start({ keyless: 2 })
  const query = "{ __schema { queryType { name } } }"
  expect((await post(query)).status).toBe(200)
  expect((await follow(query)).status).toBe(200)
  expect((await post(query)).status).toBe(429)
  expect((await follow(query)).status).toBe(429)
  expect((await post(query, { Authorization: `Bearer ${GOOD_KEY}` })).status).toBe(200)
})
