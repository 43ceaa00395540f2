import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile, HogqlError, type HogqlQuery } from "../../src/hogql/index.js"
import { OVERRULED } from "./overruled.js"
import { type CaseDataset, loadDataset } from "./support/dataset.js"
import { TestEngine } from "./support/engine.js"
import { scopeOf } from "./support/scope.js"
import { shownRows } from "./support/shown-rows.js"

interface HogqlCase {
  readonly id: string
  readonly title: string
  readonly hogql: string
  readonly params?: Pick<HogqlQuery, "filters" | "values" | "variables"> & { team_timezone?: string }
  readonly expect: {
    readonly status: number
    readonly rows?: unknown[][]
    readonly ordered?: boolean
    readonly columns?: string[]
    readonly error_class?: string
    readonly detail_contains?: string
    readonly row_count?: number
    readonly hasMore?: boolean
    readonly limit?: number
    readonly offset?: number
  }
}

const file = JSON.parse(readFileSync("test/hogql/fixtures/hogql.json", "utf8")) as {
  datasets: { ds1: CaseDataset }
  cases: HogqlCase[]
}
const dataset = file.datasets.ds1

const plain = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? value.map(plain) : value

describe("the acceptance cases of HogQL, on the real engine", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    loadDataset(engine, dataset)
  })
  afterAll(() => engine.close())

  const answer = async (item: HogqlCase) => {
    const timezone = item.params?.team_timezone ?? "UTC"
    const compiled = await compile({ text: item.hogql, ...item.params }, scopeOf(dataset, timezone))
    const rows = shownRows(engine, compiled, timezone)
    return { compiled, rows, hasMore: engine.run(compiled).rows.length > rows.length }
  }

  test.each(file.cases.filter((item) => !OVERRULED.has(item.id)).map((item) => [item.id, item.title, item] as const))(
    "%s %s",
    async (_id, _title, item) => {
      const expected = item.expect
      if (expected.status !== 200) {
        const error = await answer(item).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(HogqlError)
        expect((error as HogqlError).kind === "syntax").toBe(expected.error_class === "syntax")
        expect((error as HogqlError).message).toContain(expected.detail_contains ?? "")
        return
      }
      const { rows, compiled, hasMore } = await answer(item)
      if (expected.rows) expect(plain(rows)).toEqual(plain(expected.rows))
      if (expected.columns) expect(compiled.columns).toEqual(expected.columns)
      if (expected.row_count !== undefined) expect(rows).toHaveLength(expected.row_count)
      if (expected.hasMore !== undefined) expect(hasMore).toBe(expected.hasMore)
      if (expected.limit !== undefined) expect(compiled.limit).toBe(expected.limit)
      if (expected.offset !== undefined) expect(compiled.offset).toBe(expected.offset)
    },
  )
})
