import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile, HogqlError, type HogqlQuery } from "../../src/hogql/index.js"
import { type CaseDataset, loadDataset } from "./support/dataset.js"
import { TestEngine } from "./support/engine.js"
import { scopeOf } from "./support/scope.js"

interface Generator {
  readonly prefix: string
  readonly repeat: readonly [string, number]
  readonly middle?: string
  readonly repeat2?: readonly [string, number]
  readonly suffix?: string
}
interface Hostile {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly query?: string
  readonly generator?: Generator
  readonly variables?: HogqlQuery["variables"]
  readonly values?: HogqlQuery["values"]
}

const { entries } = JSON.parse(readFileSync("test/hogql/fixtures/hostile.json", "utf8")) as { entries: Hostile[] }
const { datasets } = JSON.parse(readFileSync("test/hogql/fixtures/hogql.json", "utf8")) as {
  datasets: { ds1: CaseDataset }
}
const dataset = datasets.ds1
const CANARY = "canary-of-project-two"
/** Some of the queries would never end. */
const ENDLESS_SECONDS = 2

function textOf(entry: Hostile): string {
  const { generator } = entry
  if (generator === undefined) return entry.query ?? ""
  const { prefix, repeat, middle = "", repeat2 = ["", 0], suffix = "" } = generator
  return prefix + repeat[0].repeat(repeat[1]) + middle + repeat2[0].repeat(repeat2[1]) + suffix
}

describe("hostile queries", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    loadDataset(engine, dataset)
    const row = { project_id: 2, version: 1, created_at: "2024-03-01T00:00:00Z", properties: `{"x":"${CANARY}"}` }
    engine.insert("events", [
      { ...row, event: CANARY, distinct_id: CANARY, timestamp: "2024-03-01T00:00:00Z", version: undefined },
    ])
    engine.insert("persons", [{ ...row, id: "0190d000-0000-7000-8000-00000000000f" }])
    engine.insert("person_distinct_ids", [
      { project_id: 2, distinct_id: CANARY, person_id: "0190d000-0000-7000-8000-00000000000f", version: 1 },
    ])
    engine.insert("groups", [{ ...row, group_type_index: 0, group_key: CANARY }])
  })
  afterAll(() => engine.close())

  test.each(entries.filter((entry) => entry.class !== "envelope").map((entry) => [entry.id, entry] as const))(
    "%s is refused as a query error or sees its own project only",
    async (_id, entry) => {
      const given = { text: textOf(entry), variables: entry.variables, values: entry.values }
      const compiled = await compile(given, scopeOf(dataset)).catch((thrown: unknown) => thrown)
      if (compiled instanceof Error) {
        expect(compiled).toBeInstanceOf(HogqlError)
        return
      }
      expect(entry.expect).not.toBe("reject")
      let answer = ""
      try {
        answer = JSON.stringify(engine.run(compiled as Awaited<ReturnType<typeof compile>>, ENDLESS_SECONDS).rows)
      } catch (fault) {
        answer = String(fault)
      }
      expect(answer).not.toContain(CANARY)
      expect(answer).not.toContain("Opera")
    },
  )
})
