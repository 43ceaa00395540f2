import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { getIntrospectionQuery } from "graphql"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

interface Answer {
  readonly data?: Record<string, unknown>
  readonly errors?: { message: string; extensions: Record<string, unknown> }[]
  readonly extensions?: Record<string, unknown>
}

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}

describe("operations over HTTP", () => {
  test("show what they cost and what they may cost", async () => {
    const query = "{ persons(first: 10) { totalCount nodes { id name } } }"
    // 1 for the connection, 0.1 for the total, 10 × (1 for a person, 0.2 for its fields)
    expect((await post({ query })).body.extensions).toEqual({ cost: { requested: 13.1, limit: 10_000 } })
  })

  test("say what is left to a caller whose requests are counted", async () => {
    const rateLimit = { limit: 60, remaining: 41, resetAt: "2026-11-28T06:41:00.000Z" }
    const counting = await startGateway({
      consumeRateLimit: async (context) => ({ context: { ...context, rateLimit }, headers: {} }),
    })
    const ask = async (query: string) => {
      const headers = { "Content-Type": "application/json" }
      const body = JSON.stringify({ query })
      const response = await fetch(`${counting.url}/graphql`, { method: "POST", headers, body })
      return ((await response.json()) as Answer).extensions
    }
    const left = { cost: { requested: 0.1, limit: 10_000 }, rateLimit: { cost: 0.1, ...rateLimit } }
    expect(await ask("{ __typename }")).toEqual(left)
    expect(await ask('{ __type(name: "Query") { __typename } }')).toMatchObject({ rateLimit })
    await counting.close()
  })

  test("are refused above the cost limit before anything runs", async () => {
    const query = "query ($first: Int) { persons(first: $first) { nodes { friends { id } } } }"
    const { status, body } = await post({ query, variables: { first: 100_000 } })
    expect(status).toBe(400)
    expect(body.data).toBeUndefined()
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: "COST_LIMIT", limit: 10_000 })
  })

  test("carry the fault of a resolver with its code and field, beside the data of other fields", async () => {
    const { status, body } = await post({ query: '{ fails(how: "field") firstPerson { id } }' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ fails: null, firstPerson: { id: "1" } })
    expect(body.errors?.[0]).toMatchObject({
      message: "Not a valid string.",
      path: ["fails"],
      extensions: { code: "BAD_USER_INPUT", wireCode: "invalid_input", attr: "name" },
    })
  })

  test("show of a defect only the id under which it is logged", async () => {
    const { body } = await post({ query: '{ fails(how: "defect") }' })
    expect(body.errors?.[0]?.message).toBe("A server error occurred.")
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: "INTERNAL", error_id: "error-1" })
    expect(JSON.stringify(body)).not.toContain("secret")
    expect(String(gateway.defects[0])).toContain("secret of the house")
  })

  test("work without a key as far as resolvers let them", async () => {
    const { body } = await post({ query: '{ __typename fails(how: "unauthenticated") }' })
    expect(body.data).toEqual({ __typename: "Query", fails: null })
    expect(body.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED")
  })

  test("run under the key of the Authorization header", async () => {
    const query = 'mutation { createPlaylist(input: { name: "x" }) { id } }'
    expect((await post({ query }, { Authorization: `Bearer ${GOOD_KEY}` })).body.data).toEqual({
      createPlaylist: { id: 1 },
    })
    expect((await post({ query })).body.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED")
  })

  test("may read the whole schema, but not in circles", async () => {
    expect((await post({ query: getIntrospectionQuery({ inputValueDeprecation: true }) })).body.errors).toBeUndefined()
    const circle =
      "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }"
    expect((await post({ query: circle })).status).toBe(400)
  })
})

describe("long answers", () => {
  test.each([
    ["of an operation", "{ persons(first: 100) { nodes { id name } } }"],
    ["about the schema", getIntrospectionQuery()],
  ])("are sent compressed to clients that accept it: %s", async (_title, query) => {
    const whole = await post({ query }, { "Accept-Encoding": "identity" })
    const packed = await post({ query }, { "Accept-Encoding": "gzip, br" })
    expect([whole, packed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "br"])
    expect(packed.body).toEqual(whole.body)
    expect(Number(packed.headers.get("content-length")) * 2).toBeLessThan(Number(whole.headers.get("content-length")))
  })
})

describe("requests that are not operations", () => {
  test.each([
    ["a form", "query=%7B__typename%7D", "application/x-www-form-urlencoded", 415],
    ["plain text", '{"query":"{__typename}"}', "text/plain", 415],
    ["broken JSON", "{", "application/json", 400],
    ["deep JSON", "[".repeat(5_000), "application/json", 400],
    ["an array", "[]", "application/json", 400],
  ])("are refused: %s", async (_title, text, type, status) => {
    const answer = await post(text, { "Content-Type": type })
    expect(answer.status).toBe(status)
    expect(answer.body.errors?.[0]?.extensions.code).toMatch(/BAD_USER_INPUT|BAD_REQUEST/)
  })

  test("that a page elsewhere can send without asking are refused", async () => {
    expect((await fetch(`${gateway.url}/graphql?query=%7B__typename%7D`)).status).toBe(400)
  })

  test("by link are answered to whoever sends a key, which no page elsewhere can without asking", async () => {
    const answer = await fetch(`${gateway.url}/graphql?query=%7B__typename%7D`, {
      headers: { Authorization: "Bearer x" },
    })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ data: { __typename: "Query" } }),
    ])
  })

  test.each([
    ["one that the schema has", "mutation{createPlaylist(input:{}){id}}"],
    ["one that it does not have", "mutation{nope{id}}"],
    ["one of several operations", "query a{__typename} mutation b{nope}&operationName=b"],
  ])("by link change nothing: %s", async (_title, query) => {
    const [text = "", rest = ""] = query.split("&")
    for (const headers of [{}, { Authorization: "Bearer x" }]) {
      const answer = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(text)}&${rest}`, { headers })
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"])
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: "METHOD_NOT_ALLOWED" } }] })
    }
  })

  test.each(["PUT", "PATCH", "DELETE"])("by another method say which there are: %s", async (method) => {
    for (const headers of [{}, { "Content-Type": "application/json" }]) {
      const response = await fetch(`${gateway.url}/graphql`, { method, headers })
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"])
      expect(await response.json()).toMatchObject({
        errors: [{ message: `Method "${method}" not allowed.`, extensions: { code: "METHOD_NOT_ALLOWED" } }],
      })
    }
  })

  test("may ask which methods there are", async () => {
    const response = await fetch(`${gateway.url}/graphql`, { method: "OPTIONS" })
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, POST"])
  })

  test("that are packed are refused as such", async () => {
    const answer = await post("{}", { "Content-Type": "application/json", "Content-Encoding": "gzip" })
    expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
      415,
      'Unsupported content encoding "gzip" in request.',
    ])
  })

  test("below the path are not found", async () => {
    expect((await fetch(`${gateway.url}/graphql/x`)).status).toBe(404)
  })
})

test("the answer has the media type that was asked for", async () => {
  const accept = "application/graphql-response+json"
  const { headers } = await post({ query: "{ __typename }" }, { Accept: accept })
  expect(headers.get("content-type")).toContain(accept)
})
