import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { QueryCaseServer } from "../features/queries/kinds/query-case-server.js"
import type { CaseDataset } from "../hogql/support/dataset.js"
import { makeKey } from "../support/make-key.js"
import { type CaseExpectation, type CaseRequest, fill, managementCases } from "../support/management-cases/case-file.js"
import { faultsOf } from "../support/management-cases/check-answer.js"
import { createFixtures } from "../support/management-cases/fixtures.js"
import { misfit } from "../support/management-cases/misfit.js"
import { waitFor } from "../support/wait-for.js"
import { type Answer, WaymarkApi } from "../support/waymark-api.js"

const { ds1 } = (JSON.parse(readFileSync("test/cases/hogql.json", "utf8")) as { datasets: { ds1: CaseDataset } })
  .datasets
/** Requests that a key may make in an hour at the process that counts them. */
const LIMIT = 20
const server = new QueryCaseServer()
/** Address of a process on the same stores that limits keys; the cases of an exhausted key go there. */
let limitedUrl: string
let fixtures: Record<string, unknown>

beforeAll(async () => {
  await server.start(ds1)
  fixtures = await createFixtures(server, ds1, Date.now())
  limitedUrl = await server.startProcess("limited", { ROLES: "web", RATE_LIMIT_PER_HOUR: String(LIMIT) })
}, 120_000)
afterAll(() => server.stop())

function send({ method, path, bearer, query, headers, json, raw_body }: CaseRequest): Promise<Answer> {
  const parameters = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  )
  const lowered = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  const isLimited = bearer !== undefined && bearer === fixtures.K_exhausted
  const caller = new WaymarkApi(isLimited ? limitedUrl : server.api.url, bearer ?? null)
  return caller.request(
    method,
    `${path}${parameters.size > 0 ? `?${parameters}` : ""}`,
    raw_body ?? json,
    Object.fromEntries(lowered),
  )
}

/** Uses up what a key may ask in this hour; an hour that ends meanwhile is no matter. */
async function exhaust(request: CaseRequest): Promise<void> {
  await waitFor("the key to be exhausted", async () => (await send(request)).status === 429)
}

/** Sends once, or until the body is as `poll_until` wants it. */
async function ask(request: CaseRequest, { poll_until }: CaseExpectation): Promise<Answer> {
  if (poll_until === undefined) return send(request)
  const { timeout_s, ...wanted } = poll_until
  return waitFor(`${request.path} to be as wanted`, async () => {
    const answer = await send(request)
    const isReached = Object.entries(wanted).every(([path, value]) => misfit(at(answer.body, path), value) === null)
    return isReached && answer
  })
}

const at = (body: unknown, path: string): unknown =>
  path.split(".").reduce((value, key) => (value as Record<string, unknown> | null)?.[key], body)

describe("the management API, as the acceptance cases have it", () => {
  test.each(managementCases.map((item) => [item.id, item.area, item.title, item] as const))(
    "%s %s: %s",
    async (_id, _area, _title, { steps }) => {
      const variables = { ...fixtures }
      for (const step of steps) {
        const request = fill(step.request, variables)
        const expected = fill(step.recommended ?? step.expect, variables)
        if (step.request.bearer === "{{K_exhausted}}") await exhaust(request)
        const answer = await ask(request, expected)
        expect({ request, faults: faultsOf(answer, expected) }).toEqual({ request, faults: [] })
        for (const [name, path] of Object.entries(step.save ?? {})) variables[name] = at(answer.body, path.slice(2))
      }
    },
  )
})

describe("requests beyond what a key may make", () => {
  test("are counted for each key, by REST and GraphQL together, and say how many are left", async () => {
    const { value } = await makeKey(server.api, ["project:read", "user:read"])
    const caller = new WaymarkApi(limitedUrl, value)
    const first = await caller.get("/api/projects/1/")
    expect(first.headers.get("ratelimit-limit")).toBe(String(LIMIT))
    expect(Number(first.headers.get("ratelimit-remaining"))).toBeLessThan(LIMIT)
    expect(Number(first.headers.get("ratelimit-reset"))).toBeGreaterThan(0)
    const throttled = await waitFor("GraphQL to be refused too", async () => {
      await caller.get("/api/projects/1/")
      const { body } = await caller.post<{ errors?: object[] }>("/graphql", { query: "{ me { id: number } }" })
      return body.errors
    })
    expect(throttled).toMatchObject([{ extensions: { code: "RATE_LIMITED" } }])
    expect(await new WaymarkApi(limitedUrl).get("/api/projects/1/")).toMatchObject({ status: 200 })
  })

  test("are refused only to who may ask at all", async () => {
    const request = { method: "GET", path: "/api/environments/1/session_recording_playlists/" }
    const bearer = String(fixtures.K_exhausted)
    await exhaust({ ...request, bearer })
    expect(await send({ method: "GET", path: "/api/environments/1/cohorts/", bearer })).toMatchObject({ status: 403 })
    expect(await send({ ...request, bearer: "phx_nosuchkey" })).toMatchObject({ status: 401 })
  })
})
