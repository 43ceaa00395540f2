import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { OVERRULED } from "../../../hogql/overruled.js"
import type { CaseDataset } from "../../../hogql/support/dataset.js"
import { QueryCaseServer } from "./query-case-server.js"

interface HogqlCase {
  readonly id: string
  readonly title: string
  readonly hogql: string
  readonly params?: Record<string, unknown> & { team_timezone?: string }
  readonly expect: {
    readonly status: number
    readonly rows?: unknown[][]
    readonly ordered?: boolean
    readonly row_count?: number
    readonly detail_contains?: string
    readonly [field: string]: unknown
  }
}
interface Hostile {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly query?: string
  readonly body?: Record<string, unknown>
  readonly generator?: Generator
  readonly variables?: unknown
  readonly values?: unknown
}
interface Generator {
  readonly prefix: string
  readonly repeat: readonly [string, number]
  readonly middle?: string
  readonly repeat2?: readonly [string, number]
  readonly suffix?: string
}
interface QueryBody {
  readonly results: unknown[][]
  readonly type?: string
  readonly detail?: string
  readonly [field: string]: unknown
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))
const { datasets, cases } = read("test/cases/hogql.json") as { datasets: { ds1: CaseDataset }; cases: HogqlCase[] }
const { entries } = read("test/cases/hostile/query-hogql.json") as { entries: Hostile[] }
const CANARY = "canary-of-project-two"
const server = new QueryCaseServer()

beforeAll(async () => {
  await server.start(datasets.ds1)
  const row = { project_id: 2, version: 1, created_at: "2024-03-01T00:00:00Z", properties: `{"x":"${CANARY}"}` }
  const person = "0190d000-0000-7000-8000-00000000000f"
  const { version: _, ...event } = { ...row, event: CANARY, distinct_id: CANARY, timestamp: "2024-03-01T00:00:00Z" }
  await server.store("events", [event])
  await server.store("persons", [{ ...row, id: person }])
  const link = { project_id: 2, distinct_id: CANARY, person_id: person, version: 1 }
  await server.store("person_distinct_ids", [link])
  await server.store("groups", [{ ...row, group_type_index: 0, group_key: CANARY }])
}, 120_000)
afterAll(() => server.stop())

const plain = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? value.map(plain) : value
const sorted = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

describe("the acceptance cases of HogQL over HTTP", () => {
  const zones = [...new Set(cases.map((item) => item.params?.team_timezone ?? "UTC"))]
  const run = (zone: string) => cases.filter((item) => (item.params?.team_timezone ?? "UTC") === zone)

  for (const zone of zones)
    describe(`in ${zone}`, () => {
      beforeAll(() => server.useTimezone(zone))
      afterAll(() => server.useTimezone("UTC"))

      test.each(
        run(zone)
          .filter(({ id }) => !OVERRULED.has(id))
          .map((item) => [item.id, item.title, item] as const),
      )("%s %s", async (_id, _title, { hogql, params = {}, expect: expected }) => {
        const { team_timezone: _zone, ...given } = params
        const query = { kind: "HogQLQuery", query: hogql, ...given }
        const { status, body } = await server.query<QueryBody>(query, { refresh: "force_blocking" })
        expect({ status, ...body }).toMatchObject({ status: expected.status })
        if (expected.status !== 200) {
          expect(body.type).toBe("validation_error")
          expect(body.detail).toContain(expected.detail_contains ?? "")
          return
        }
        const [rows, wanted] = [plain(body.results) as unknown[], expected.rows && (plain(expected.rows) as unknown[])]
        if (wanted && expected.ordered === false) expect(sorted(rows)).toEqual(sorted(wanted))
        else if (wanted) expect(rows).toEqual(wanted)
        if (expected.row_count !== undefined) expect(rows).toHaveLength(expected.row_count)
        for (const field of ["columns", "hasMore", "limit", "offset"])
          if (expected[field] !== undefined) expect(body[field]).toEqual(expected[field])
      })
    })
})

describe("whole numbers beyond 2^53", () => {
  const QUERY = `SELECT toInt64('9223372036854775807'), 18446744073709551615, [9007199254740993], 9007199254740993 = toInt64('9007199254740993'),
    9007199254740993 = toInt64('9007199254740992'), 9007199254740991, 1.5, toString(9007199254740993)`
  const ROW =
    '[9223372036854775807,18446744073709551615,[9007199254740993],1,0,9007199254740991,1.5,"9007199254740993"]'
  const text = async (path: string, body?: object) => {
    const answer = await fetch(`${server.api.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${server.api.personalKey}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answer.text()
  }
  const query = { kind: "HogQLQuery", query: QUERY }
  const path = "/api/environments/1/query/"

  test("keep their digits, calculated or cached, in a status, in an export and by GraphQL", async () => {
    const expected = `"results":[${ROW}]`
    expect(await text(path, { query, refresh: "force_blocking", client_query_id: "exact" })).toContain(expected)
    expect(await text(path, { query, refresh: "force_cache" })).toContain(expected)
    expect(await text(`${path}exact/`)).toContain(expected)
    expect(await text(`${path}export/`, { query, format: "jsonl" })).toContain(ROW.slice(1, -1).split(",")[0])
    const document = "query ($id: ID!) { queryStatus(projectId: 1, id: $id) { answer } }"
    expect(await text("/graphql", { query: document, variables: { id: "exact" } })).toContain(ROW)
  })
})

describe("hostile queries over HTTP", () => {
  const textOf = ({ generator, query = "" }: Hostile): string => {
    if (generator === undefined) return query
    const { prefix, repeat, middle = "", repeat2 = ["", 0], suffix = "" } = generator
    return prefix + repeat[0].repeat(repeat[1]) + middle + repeat2[0].repeat(repeat2[1]) + suffix
  }

  test.each(entries.map((entry) => [entry.id, entry] as const))(
    "%s gives no 5xx, no other project's rows and none of our SQL",
    async (_id, entry) => {
      const { variables, values } = entry
      const query = {
        kind: "HogQLQuery",
        query: textOf(entry),
        ...(variables ? { variables } : {}),
        ...(values ? { values } : {}),
      }
      const body = entry.body ?? { query, refresh: "force_blocking" }
      const sent = JSON.stringify(body).replace('"LONG"', JSON.stringify("x".repeat(100_000)))
      const answer = await server.api.post<QueryBody>("/api/environments/1/query/", sent)
      if (answer.status >= 500) expect([504, answer.body]).toEqual([answer.status, answer.body])
      const text = JSON.stringify(answer.status === 200 ? answer.body.results : answer.body.detail)
      expect(text ?? "").not.toContain(CANARY)
      expect(text ?? "").not.toContain("Opera")
      if (answer.status >= 400) expect(text).not.toMatch(/project_id|In scope|\bAS r\b|equals\(r\./)
      if (entry.expect === "reject") expect(answer.status).toBe(400)
    },
    90_000,
  )
})
