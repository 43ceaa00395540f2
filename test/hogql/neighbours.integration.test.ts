import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile, HogqlError, type HogqlQuery } from "../../src/hogql/index.js"
import { type CaseDataset, loadDataset } from "./support/dataset.js"
import { TestEngine } from "./support/engine.js"
import { scopeOf } from "./support/scope.js"
import { shownRows } from "./support/shown-rows.js"

interface Neighbour {
  readonly hogql: string
  /** The project's; UTC when it is not named. */
  readonly timezone?: string
  readonly params?: Pick<HogqlQuery, "filters" | "values" | "variables">
  readonly rows?: unknown[][]
  /** Part of the sentence of the refusal, by the compiler or the engine. */
  readonly refused?: string
}

const read = (file: string) => JSON.parse(readFileSync(`test/hogql/fixtures/${file}.json`, "utf8"))
const dataset = (read("hogql") as { datasets: { ds1: CaseDataset } }).datasets.ds1
const neighbours = read("neighbours") as Neighbour[]

const plain = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? value.map(plain) : value

/** Texts next to the acceptance cases: the rule that a case is an example of, tried elsewhere. */
describe("what stands next to the acceptance cases of HogQL, on the real engine", () => {
  let engine: TestEngine
  beforeAll(() => {
    engine = new TestEngine()
    loadDataset(engine, dataset)
  })
  afterAll(() => engine.close())

  test.each(neighbours.map((item) => [item.hogql, item] as const))(
    "%s",
    async (_hogql, { hogql, params, timezone = "UTC", ...expected }) => {
      const scope = scopeOf(dataset, timezone)
      const compiled = await compile({ text: hogql, ...params }, scope).catch((thrown: unknown) => thrown)
      if (compiled instanceof Error) {
        expect(compiled).toBeInstanceOf(HogqlError)
        expect(expected.refused).toBeDefined()
        expect(compiled.message.toLowerCase()).toContain(expected.refused?.toLowerCase())
        return
      }
      const run = () => shownRows(engine, compiled as Awaited<ReturnType<typeof compile>>, timezone)
      if (expected.refused !== undefined) expect(run).toThrow()
      else expect(plain(run())).toEqual(plain(expected.rows))
    },
  )
})
