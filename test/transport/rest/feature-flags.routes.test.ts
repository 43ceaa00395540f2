import { afterAll, beforeAll, expect, test } from "@jest/globals"
import { GOOD_KEY } from "../support/sample-context.js"
import { type RunningRest, startRest } from "../support/start-rest.js"

const FLAG = {
  id: 3,
  key: "new-checkout",
  name: "Nowy koszyk",
  filters: { groups: [] },
  active: true,
  deleted: false,
  version: 2,
  ensureExperienceContinuity: false,
  bucketingIdentifier: "distinct_id",
  evaluationRuntime: "all",
  evaluationContexts: [],
  tags: ["web"],
  isRemoteConfiguration: false,
  hasEncryptedPayloads: false,
  isSimpleFlag: true,
  rolloutPercentage: 40,
  status: "ACTIVE",
  createdAt: "2024-02-29T11:00:00.000Z",
  createdBy: null,
  updatedAt: "2024-02-29T11:00:00.000Z",
  lastModifiedBy: null,
}

let rest: RunningRest
beforeAll(async () => {
  rest = await startRest({ data: () => ({ item: FLAG, page: { totalCount: 1, nodes: [FLAG] } }) })
})
afterAll(() => rest.close())

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(`${rest.url}/api/projects/1/feature_flags/${path}`, {
    method,
    headers: { Authorization: `Bearer ${GOOD_KEY}`, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, json: text === "" ? null : JSON.parse(text) }
}

test("flags are listed, made, read and changed in the words of this wire", async () => {
  expect((await send("GET", "?active=true&search=x")).json.results[0]).toMatchObject({
    key: "new-checkout",
    tags: ["web"],
  })
  expect(rest.executed.at(-1)?.variables).toMatchObject({ projectId: "1", active: true, search: "x" })
  const created = await send("POST", "", { key: "new-checkout", ensure_experience_continuity: null, tags: ["web"] })
  expect(created).toMatchObject({
    status: 201,
    json: { rollout_percentage: 40, is_simple_flag: true, status: "ACTIVE" },
  })
  expect(rest.executed.at(-1)?.variables.input).toEqual({
    key: "new-checkout",
    ensureExperienceContinuity: null,
    tags: ["web"],
  })
  expect((await send("GET", "3/")).status).toBe(200)
  expect((await send("PATCH", "3", { version: 2, active: false })).status).toBe(200)
  expect(rest.executed.at(-1)?.variables).toEqual({ projectId: "1", id: "3", input: { version: 2, active: false } })
})

test("a flag is not deleted for good", async () => {
  expect(await send("DELETE", "3/")).toMatchObject({ status: 405, text: "" })
})

test.each([
  [{ tags: "web" }, "tags", "not_a_list"],
  [{ tags: [{}] }, "tags", "invalid_input"],
  [{ version: "x" }, "version", "invalid_input"],
  [{ active: "perhaps" }, "active", "invalid_input"],
])("a field of the wrong type is named: %j", async (body, attr, code) => {
  expect(await send("POST", "", body)).toMatchObject({ status: 400, json: { attr, code } })
})

test("lists are narrowed and ordered in the words of this wire, and an unknown word is named", async () => {
  await send("GET", "?type=multivariant&created_by_id=5&tags=%5B%22a%22%5D&evaluation_runtime=client&order=-created_at")
  expect(rest.executed.at(-1)?.variables).toMatchObject({
    filter: { type: "MULTIVARIANT", createdById: 5, tags: ["a"], evaluationRuntime: "client" },
    orderBy: "CREATED_AT",
    descending: true,
  })
  await send("GET", "?active=STALE&tags=one&order=key")
  expect(rest.executed.at(-1)?.variables).toMatchObject({
    active: true,
    filter: { stale: true, tags: ["one"] },
    orderBy: "KEY",
    descending: false,
  })
  const refused = { type: "survey", order: "size", active: "maybe", tags: "[1", created_by_id: "me" }
  for (const [name, value] of Object.entries(refused))
    expect(await send("GET", `?${name}=${encodeURIComponent(value)}`)).toMatchObject({
      status: 400,
      json: { attr: name },
    })
})
