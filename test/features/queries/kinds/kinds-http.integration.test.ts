import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { CaseDataset } from "../../../hogql/support/dataset.js"
import { waitFor } from "../../../support/wait-for.js"
import { QueryCaseServer } from "./query-case-server.js"

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))
const { datasets } = read("test/cases/hogql.json") as { datasets: { ds1: CaseDataset } }
const server = new QueryCaseServer()

beforeAll(() => server.start(datasets.ds1), 120_000)
afterAll(() => server.stop())

interface ManagementCase {
  readonly id: string
  readonly area: string
  readonly title: string
  readonly steps: {
    readonly request: { readonly method: string; readonly path: string; readonly json?: { query?: { kind?: string } } }
    readonly expect: { readonly status: number; readonly body?: Record<string, unknown> }
  }[]
}

/** Cases of one step about a kind; those about refresh, status and cancel are held by the tests of running. */
const cases = (read("test/cases/management.json") as { cases: ManagementCase[] }).cases.filter(
  ({ area, steps }) => area === "query" && steps.length === 1 && steps[0]?.request.json?.query !== undefined,
)

describe("kinds over HTTP, as the acceptance cases have them", () => {
  test.each(cases.map((item) => [item.id, item.title, item] as const))("%s %s", async (_id, _title, { steps }) => {
    const [step] = steps
    const { status, body } = await server.api.post<Record<string, unknown>>(
      "/api/environments/1/query/",
      step?.request.json ?? {},
    )
    expect({ status, ...body }).toMatchObject({ status: step?.expect.status })
    expectToFit(body, step?.expect.body ?? {})
  })
})

/** The cases' own way to compare: objects are subsets, lists item by item, and `$…` asks something of a value. */
function expectToFit(found: unknown, wanted: unknown): void {
  if (Array.isArray(wanted)) {
    expect(found).toHaveLength(wanted.length)
    for (const [index, item] of wanted.entries()) expectToFit((found as unknown[])[index], item)
  } else if (typeof wanted === "object" && wanted !== null) {
    for (const [key, value] of Object.entries(wanted)) {
      if (key === "$type") expect(Array.isArray(found) ? "array" : typeof found).toBe(value)
      else if (key === "$length") expect(found).toHaveLength(value)
      else if (key === "$contains") expect(found).toContain(value)
      else if (key === "$iso") expect(Number.isNaN(Date.parse(String(found)))).toBe(false)
      else expectToFit((found as Record<string, unknown>)[key], value)
    }
  } else expect(found).toEqual(wanted)
}

describe("a query that needs several statements at once", () => {
  test("is answered, as each of them has an id of its own", async () => {
    const breakdowns = ["price", "duration"].map((property) => ({ property, type: "event", histogram_bin_count: 2 }))
    const { status, body } = await server.query({
      kind: "TrendsQuery",
      dateRange: { date_from: "all" },
      series: [{ kind: "EventsNode", event: null }],
      breakdownFilter: { breakdowns },
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { results: expect.any(Array) } })
  })
})

describe("a faulty query over HTTP", () => {
  test("is refused by kind and field, in the one error body", async () => {
    const { status, body } = await server.query({ kind: "TrendsQuery", series: [{ kind: "EventsNode", math: "none" }] })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { type: "invalid_request", code: "parse_error", attr: "query__series__0__math" },
    })
    expect(String(body.detail)).toMatch(
      /^JSON parse error - 1 validation error\(s\) for QueryRequest: TrendsQuery\.series\[0\]\.math/,
    )
    expect(await server.query({ kind: "HogQuery" })).toMatchObject({
      status: 400,
      body: { detail: "Unsupported query kind: HogQuery" },
    })
  })

  test("shows nothing of how tables are stored when the engine refuses it", async () => {
    const { status, body } = await server.query({ kind: "HogQLQuery", query: "SELECT event + 1 FROM events" })
    expect({ status, type: body.type }).toEqual({ status: 400, type: "validation_error" })
    expect(JSON.stringify(body)).not.toMatch(/project_id|AS r\b|In scope/)
  })

  test("lists recordings of a RecordingsQuery with the keys of the list, never from the cache", async () => {
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const store = (session_id: string, minutes: number, click_count: number) =>
      server.store("session_replay_events", [
        {
          project_id: 1,
          session_id,
          distinct_id: "d1",
          click_count,
          first_timestamp: at(minutes),
          last_timestamp: at(minutes - 1),
        },
      ])
    const ask = async (more: object = {}) =>
      (await server.query<{ results: { id: string }[] }>({ kind: "RecordingsQuery", ...more })).body
    await store("rec-1", 60, 3)
    expect((await ask()).results).toMatchObject([
      {
        id: "rec-1",
        distinct_id: "d1",
        click_count: 3,
        recording_duration: 60,
        storage: "object_storage",
        person: { name: null, distinct_ids: ["d1"], properties: {} },
      },
    ])
    await store("rec-2", 30, 9)
    expect(await ask({ limit: 1 })).toMatchObject({ results: [{ id: "rec-2" }], has_next: true, count: 2 })
    expect(await ask({ order: "click_count", order_direction: "ASC" })).toMatchObject({
      results: [{ id: "rec-1" }, { id: "rec-2" }],
      has_next: false,
    })
    expect(await server.query({ kind: "RecordingsQuery", order: "colour" })).toMatchObject({
      status: 400,
      body: { attr: "query__order" },
    })
  })

  test("asks dynamic cohorts of persons as they are, wherever a query can name one, and of no other project", async () => {
    const create = async (name: string, values: object[], project = 1) => {
      const filters = { properties: { type: "AND", values } }
      const made = await server.api.post<{ id: number }>(`/api/environments/${project}/cohorts/`, { name, filters })
      expect(made).toMatchObject({ status: 201 })
      return made.body.id
    }
    const member = (value: number, more: object = {}) => ({ type: "cohort", key: "id", value, ...more })
    const free = await create("free plan", [{ type: "person", key: "plan", value: "free", operator: "exact" }])
    const others = await create("no list, not free", [member(11, { negation: true }), member(free, { negation: true })])
    const foreign = await create("next door", [{ type: "person", key: "plan", value: "free", operator: "exact" }], 2)
    const ask = (query: object) => server.query<Record<string, unknown>>(query, { refresh: "force_blocking" })
    const persons = (condition: string) =>
      ask({ kind: "HogQLQuery", query: `SELECT right(toString(id), 1) FROM persons WHERE id ${condition} ORDER BY 1` })
    expect((await persons(`IN COHORT ${free}`)).body).toMatchObject({ results: [["2"]] })
    expect((await persons(`IN COHORT ${others}`)).body).toMatchObject({ results: [["3"]] })
    expect((await persons(`NOT IN COHORT ${free} AND id IN COHORT 'cohort 12'`)).body).toMatchObject({
      results: [["1"]],
    })
    const rows = `SELECT right(toString(person_id), 1) FROM cohort_people WHERE cohort_id = ${free}`
    expect((await ask({ kind: "HogQLQuery", query: rows })).body).toMatchObject({ results: [["2"]] })
    expect((await ask({ kind: "ActorsQuery", select: ["id"], properties: [member(free)] })).body).toMatchObject({
      results: [["0190d000-0000-7000-8000-000000000002"]],
    })
    const trend = { kind: "TrendsQuery", dateRange: { date_from: "2024-03-01", date_to: "2024-03-05" } }
    const series = [{ kind: "EventsNode", event: "$pageview" }]
    expect((await ask({ ...trend, series, properties: [member(free, { operator: "not_in" })] })).body).toMatchObject({
      results: [{ count: 2 }],
    })
    const breakdownFilter = { breakdown_type: "cohort", breakdown: [free] }
    const { results } = (await ask({ ...trend, series, breakdownFilter })).body as { results: { count: number }[] }
    expect(results.find((item) => "breakdown_value" in item && item.breakdown_value === free)).toMatchObject({
      count: 1,
    })
    const pro = { type: "AND", values: [{ type: "person", key: "plan", value: "pro", operator: "exact" }] }
    await server.api.patch(`/api/environments/1/cohorts/${free}/`, { filters: { properties: pro } })
    expect((await persons(`IN COHORT ${free}`)).body).toMatchObject({ results: [["1"]] })
    await server.api.patch(`/api/environments/1/cohorts/${others}/`, { deleted: true })
    const unknown = (id: number) => ({
      status: 400,
      body: { type: "validation_error", detail: `Could not find cohort with ID ${id}.` },
    })
    for (const id of [foreign, others, 987_654]) {
      expect(await persons(`IN COHORT ${id}`)).toMatchObject(unknown(id))
      expect(await ask({ ...trend, series, properties: [member(id)] })).toMatchObject(unknown(id))
      const recordings = { kind: "RecordingsQuery", properties: [member(id)] }
      expect(await ask(recordings)).toMatchObject({ status: 400, body: { detail: unknown(id).body.detail } })
    }
    expect(
      await server.query({ kind: "HogQLQuery", query: `SELECT id FROM persons WHERE id IN COHORT ${foreign}` }, {}, 2),
    ).toMatchObject({ status: 200, body: { results: [] } })
  }, 30_000)

  test("cleans paths by the project's rules of the moment, told over REST and GraphQL", async () => {
    const path = "/api/projects/1/"
    const labels = async () => {
      const { body } = await server.query<{ results: { label: string }[]; is_cached: boolean }>({
        kind: "TrendsQuery",
        series: [{ kind: "EventsNode", event: "$pageview" }],
        breakdownFilter: { breakdown: "$current_url", breakdown_path_cleaning: true },
        dateRange: { date_from: "2024-03-01", date_to: "2024-03-05" },
      })
      return body.results.map(({ label }) => label)
    }
    expect((await server.api.get(path)).body).toMatchObject({ path_cleaning_filters: [] })
    expect(await labels()).toContain("https://a.test/")
    const rule = { regex: "^https?://[^/]+(.*)$", alias: "\\1" }
    expect(await server.api.patch(path, { path_cleaning_filters: [rule] })).toMatchObject({
      status: 200,
      body: { path_cleaning_filters: [rule] },
    })
    await waitFor("the rules to be read again", async () => (await labels()).includes("/"))
    expect(await server.api.patch(path, { path_cleaning_filters: [{ regex: "(" }] })).toMatchObject({
      status: 400,
      body: { attr: "path_cleaning_filters__0__regex" },
    })
    const { updateProject } = await server.api.changed<{ updateProject: object }>(
      `mutation ($rules: [PathCleaningInput!]) {
        updateProject(input: { projectId: 1, pathCleaningFilters: $rules }) {
          project { pathCleaningFilters { regex alias } } userErrors { message } } }`,
      { rules: [rule, { regex: "^/$", alias: "home" }] },
    )
    expect(updateProject).toEqual({ pathCleaningFilters: [rule, { regex: "^/$", alias: "home" }] })
    await waitFor("the new rules to be read", async () => (await labels()).includes("home"))
    expect(await server.api.patch(path, { path_cleaning_filters: null })).toMatchObject({
      body: { path_cleaning_filters: [] },
    })
  }, 20_000)

  test("uses cohorts by name and leaves test accounts out as the project's settings say", async () => {
    const count = async (query: object) =>
      (await server.query<{ results: number[][] }>({ kind: "HogQLQuery", ...query })).body
    expect(await count({ query: "SELECT count() FROM events WHERE person_id IN COHORT 'cohort 11'" })).toMatchObject({
      results: [[3]],
    })
    await server.api.changed(
      `mutation ($settings: JSON!) {
        updateProject(input: { projectId: 1, settings: { raw: $settings } }) {
          project { id: number } userErrors { message } } }`,
      {
        settings: {
          test_account_filters: [{ key: "email", type: "person", operator: "not_icontains", value: "alice" }],
        },
      },
    )
    const filters = { filterTestAccounts: true, dateRange: { date_from: "2024-03-01", date_to: "2024-03-05" } }
    await waitFor("the settings to be read again", async () => {
      const query = "SELECT count() FROM events WHERE {filters}"
      const { body } = await server.query<{ results: number[][] }>(
        { kind: "HogQLQuery", query, filters },
        { refresh: "force_blocking" },
      )
      return body.results[0]?.[0] === 3
    })
  }, 20_000)
})
