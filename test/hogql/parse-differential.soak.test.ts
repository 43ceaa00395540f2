import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { parse } from "../../src/hogql/index.js"
import { DELIBERATELY_DIFFERENT, isDeliberate } from "./published-parser/differences.js"
import { expression, isQuickToPublished, mutated, statement } from "./published-parser/generated-texts.js"
import { bothReadings } from "./published-parser/same-tree.js"

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const cases = ["test/hogql/fixtures/hogql.json", "test/cases/hogql.json"].flatMap((file): unknown[] =>
  json(file).cases.map((item: { hogql: unknown }) => item.hogql),
)
const hostile = ["test/hogql/fixtures/hostile.json", "test/cases/hostile/query-hogql.json"].flatMap((file): unknown[] =>
  json(file).entries.map((item: { query?: unknown }) => item.query),
)
/** Texts of queries that stand in other tests. */
const written = ["test/hogql", "test/journeys"]
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/["`]((?:select|with) (?:[^"`\\]|\\.)*)["`]/gi)])
  .map((match) => match[1] as string)
const quick = (texts: readonly unknown[]): string[] =>
  [...new Set(texts)]
    .filter((text) => typeof text === "string")
    .filter((text) => isQuickToPublished(text) && !text.includes("${"))
/** Texts that only change when the fixtures do, so that a seed makes the same changed texts of them. */
const FIXED = quick([...cases, ...hostile, ...json("test/hogql/fixtures/grammar-texts.json")])
const CORPUS = quick([...FIXED, ...written])

const readsAlike = async (text: string) => {
  if (!isQuickToPublished(text)) return
  const [ours, theirs] = await bothReadings(text)
  if (!isDeliberate(text, ours, theirs)) expect({ text, tree: ours }).toEqual({ text, tree: theirs })
}

describe("our parser and the published one", () => {
  test("read every text of the cases, of the hostile texts and of other tests alike", async () => {
    expect(CORPUS.length).toBeGreaterThan(500)
    for (const text of CORPUS) await readsAlike(text)
  })

  test("read generated expressions alike", async () => {
    const column = expression.map((text) => `select ${text}`)
    await fc.assert(fc.asyncProperty(column, readsAlike), { seed: 20261121, numRuns: 150 })
  })

  test("read generated statements alike", async () => {
    await fc.assert(fc.asyncProperty(statement, readsAlike), { seed: 20261121, numRuns: 80 })
  })

  test("read and refuse changed texts alike", async () => {
    await fc.assert(fc.asyncProperty(mutated(FIXED), readsAlike), { seed: 20261121, numRuns: 500 })
  })
})

describe("where we differ on purpose", () => {
  test.each(DELIBERATELY_DIFFERENT.map((item) => [item.reason, item] as const))("%s", async (_reason, item) => {
    const [ours, theirs] = await bothReadings(item.text)
    expect({ ours: ours === "refused", theirs: theirs === "refused" }).toEqual({
      ours: item.we === "refuse",
      theirs: item.they === "refuse",
    })
    if (item.we === "read") expect(() => parse(item.text)).not.toThrow()
    if (item.we === "read" && item.they === "read") expect(ours).not.toEqual(theirs)
  })
})
