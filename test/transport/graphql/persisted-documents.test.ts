import { hash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import { createPersistedDocuments } from "../../../src/transport/graphql/persisted-documents.js"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

const PERSONS = "query Persons($first: Int) { persons(first: $first) { nodes { id } } }"
const TRUSTED = "{ firstPerson { name } }"

let gateway: RunningGateway
let strict: RunningGateway
beforeAll(async () => {
  gateway = await startGateway({ trusted: { documents: { first: TRUSTED }, isExclusive: false } })
  strict = await startGateway({ trusted: { documents: { first: TRUSTED }, isExclusive: true } })
})
afterAll(() => Promise.all([gateway.close(), strict.close()]))

const KEY = { Authorization: `Bearer ${GOOD_KEY}` }
const toHash = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hash("sha256", text) } })

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions: Record<string, unknown> }[]
}

interface Sent {
  readonly headers?: Record<string, string>
  readonly to?: RunningGateway
}

async function post(body: object, { headers = KEY, to = gateway }: Sent = {}) {
  const response = await fetch(`${to.url}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

async function get(fields: Record<string, string>, { headers = KEY, to = gateway }: Sent = {}) {
  const response = await fetch(`${to.url}/graphql?${new URLSearchParams(fields)}`, { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
}

const notFound = { errors: [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }] }

describe("a document that was sent before", () => {
  test("is asked for once and then known by its hash, by POST and by link", async () => {
    const extensions = toHash(PERSONS)
    const unknown = await post({ extensions, variables: { first: 1 } })
    expect([unknown.status, unknown.body]).toMatchObject([200, notFound])
    const whole = await post({ query: PERSONS, extensions, variables: { first: 1 } })
    expect(whole.body.data).toEqual({ persons: { nodes: [{ id: "1" }] } })
    expect((await post({ extensions, variables: { first: 1 } })).body).toEqual(whole.body)
    const linked = await get({ extensions: JSON.stringify(extensions), variables: '{"first":1}' })
    expect(linked.body).toEqual(whole.body)
  })

  test("is not kept for callers without a valid key, who could push out what others use", async () => {
    const query = "{ firstPerson { id name } }"
    const extensions = toHash(query)
    const strangers: Record<string, string>[] = [{}, { Authorization: "Bearer wrong" }]
    for (const headers of strangers) await post({ query, extensions }, { headers })
    expect((await post({ extensions })).body).toMatchObject(notFound)
  })

  test("must have the hash that it came with", async () => {
    const { status, body } = await post({ query: TRUSTED, extensions: toHash(PERSONS) })
    expect([status, body]).toMatchObject([400, { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] }])
  })

  test("passes the same checks as any other", async () => {
    const query = "mutation { createPlaylist(input: {}) { id } }"
    await post({ query, extensions: toHash(query) })
    expect((await get({ extensions: JSON.stringify(toHash(query)) })).status).toBe(405)
    const dear = "query Dear($first: Int) { persons(first: $first) { nodes { friends { id } } } }"
    await post({ query: dear, extensions: toHash(dear), variables: { first: 1 } })
    const { body } = await post({ extensions: toHash(dear), variables: { first: 100_000 } })
    expect(body.errors?.[0]?.extensions.code).toBe("COST_LIMIT")
  })
})

describe("a document that the operator trusts", () => {
  test("is known by its name from the start", async () => {
    const data = { firstPerson: { name: "Żółć 1" } }
    expect((await post({ documentId: "first" })).body.data).toEqual(data)
    expect((await get({ documentId: "first" })).body.data).toEqual(data)
    expect((await post({ documentId: "second" })).body).toMatchObject(notFound)
  })

  test("may be the only kind that is executed", async () => {
    expect((await post({ documentId: "first" }, { to: strict })).body.data).toBeDefined()
    expect((await post({ query: TRUSTED }, { to: strict })).body.data).toBeDefined()
    for (const query of [PERSONS, "{ __schema { types { name } } }"]) {
      const { status, body } = await post({ query, extensions: toHash(query) }, { to: strict })
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([403, "FORBIDDEN"])
    }
  })

  test("may not be asked for by a page elsewhere, which sends no header that it has to ask for", async () => {
    expect((await get({ documentId: "first" }, { headers: {} })).status).toBe(400)
  })
})

describe("a query by link", () => {
  test("is answered with a tag, and with nothing while its data stays the same", async () => {
    const first = await get({ documentId: "first" })
    const tag = first.headers.get("etag") ?? ""
    expect(tag).toMatch(/^W\/"/)
    expect(first.headers.get("cache-control")).toBe("private, no-cache")
    expect(first.headers.get("vary")).toContain("Authorization")
    const again = await get({ documentId: "first" }, { headers: { ...KEY, "If-None-Match": tag } })
    expect([again.status, again.body]).toEqual([304, null])
  })

  test("that fails is not kept by anybody", async () => {
    const { headers } = await get({ query: '{ fails(how: "field") }' })
    expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"])
  })
})

test("the memory of documents is bounded by their characters", () => {
  const documents = createPersistedDocuments({})
  const texts = Array.from({ length: 60 }, (_, index) => `{ a${index} } #${"x".repeat(99_000)}`)
  for (const query of texts) documents.remember({ query, extensions: toHash(query) })
  const known = texts.filter((text) => {
    try {
      return documents.complete({ extensions: toHash(text) }).query === text
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "persisted_query_not_found") return false
      throw thrown
    }
  })
  expect(known).toEqual(texts.slice(-50))
})
