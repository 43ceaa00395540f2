import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const BODY = { flags: [{ key: "new-checkout" }], group_type_mapping: {}, cohorts: {} }

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({
    data: ({ knownRevision }) => ({ definitions: { revision: "r7", body: knownRevision === "r7" ? null : BODY } }),
  })
})
afterAll(() => rest.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(rest.url + path, { headers: { Authorization: `Bearer ${GOOD_KEY}`, ...headers } })

test.each(["/flags/definitions?send_cohorts", "/api/feature_flag/local_evaluation/?send_cohorts"])(
  "%s gives definitions with a revision",
  async (path) => {
    const response = await get(path)
    expect([response.status, response.headers.get("etag")]).toEqual([200, 'W/"r7"'])
    expect(await response.json()).toEqual(BODY)
    expect(rest.executed.at(-1)?.variables).toEqual({ projectId: "@current", withCohorts: true })
  },
)

test.each(['W/"r7"', '"r7"'])("who has revision %s already gets nothing again", async (etag) => {
  const response = await get("/flags/definitions", { "If-None-Match": etag })
  expect([response.status, await response.text()]).toEqual([304, ""])
})

test("who has another revision gets the definitions", async () => {
  expect((await get("/flags/definitions", { "If-None-Match": 'W/"r6"' })).status).toBe(200)
})

// posthog-node 1.3.0: `isFeatureEnabled` reads `results`, and asks `/decide` about each flag that is not simple.
test("the oldest SDKs are told of every flag, and that it takes a decision", async () => {
  const response = await get("/api/feature_flag/", { "User-Agent": "posthog-node/1.3.0" })
  const results = [{ key: "new-checkout", is_simple_flag: false }]
  expect([response.status, await response.json()]).toEqual([200, { count: 1, next: null, previous: null, results }])
  expect(rest.executed.at(-1)?.variables).toEqual({ projectId: "@current", withCohorts: false })
})

test.each(["1", "@current", "my-key"])("a token that is no project key names no project: %s", async (token) => {
  const response = await get(`/flags/definitions?token=${token}`)
  expect([response.status, await response.json()]).toMatchObject([401, { code: "invalid_api_key", attr: "token" }])
})
