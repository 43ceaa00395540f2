import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { compile } from "../../src/hogql/index.js"
import { TestEngine } from "./support/engine.js"
import { emptyScope } from "./support/scope.js"
import { shownRows } from "./support/shown-rows.js"

let engine: TestEngine
beforeAll(() => {
  engine = new TestEngine()
})
afterAll(() => engine.close())

const rowsOf = async (text: string) => shownRows(engine, await compile({ text }, emptyScope), "UTC")
const blockRowsOf = async (text: string) => (await compile({ text }, emptyScope)).blockRows

describe("a function whose work grows with the square of its texts", () => {
  test.each([
    ["levenshteinDistance('kitten', 'sitting')", 3],
    ["editDistance('kitten', 'sitting')", 3],
    ["damerauLevenshteinDistance('ab', 'ba')", 1],
    ["jaroSimilarity('same', 'same')", 1],
    ["base58Decode(base58Encode('text'))", "text"],
    ["levenshteinDistance(nullIf('', ''), 'a')", null],
    ["levenshteinDistance(repeat('a', 1000), repeat('b', 1000))", 1000],
  ])("%s gives what it gave", async (call, expected) => {
    expect(await rowsOf(`SELECT ${call}`)).toEqual([[expected]])
  })

  test.each([
    "levenshteinDistance(x, 'a')",
    "editDistance('a', x)",
    "jaroWinklerSimilarity(x, x)",
    "base58Encode(x)",
    "levenshteinDistanceUTF8(x, 'a')",
  ])("%s refuses a text of more than 1,000 bytes by name, instead of cutting it", async (call) => {
    const text = `SELECT ${call} FROM (SELECT repeat('a', 1001) AS x)`
    await expect(rowsOf(text)).rejects.toThrow(`${call.slice(0, call.indexOf("("))} takes texts of at most 1000 bytes`)
  })

  test("is refused in a lambda, which may be called millions of times a row, with its place", async () => {
    const text = "SELECT arrayMap(x -> levenshteinDistance(toString(x), 'a'), range(10))"
    await expect(compile({ text }, emptyScope)).rejects.toMatchObject({
      message: expect.stringContaining("levenshteinDistance cannot be called in a lambda"),
      start: text.indexOf("levenshtein"),
    })
  })

  test("reads small blocks, so that a query can be stopped between them; others read the engine's own", async () => {
    expect(await blockRowsOf("SELECT levenshteinDistance(event, 'a') FROM events")).toBe(512)
    expect(await blockRowsOf("SELECT 1 FROM (SELECT max(arrayFold((a, x) -> a + x, [1], 0)) FROM events)")).toBe(512)
    expect(await blockRowsOf("SELECT arrayMap(x -> arrayMap(y -> x + y, [1]), [2]) FROM events")).toBe(16)
    expect(await blockRowsOf("SELECT arrayMap(x -> x + 1, [2]), lower(event) FROM events")).toBeNull()
  })

  test("is refused within a block as soon as its range has more than 10,000,000 numbers", async () => {
    await expect(rowsOf("SELECT sum(length(range(number, number + 20000))) FROM numbers(600)")).rejects.toThrow(
      "10000000",
    )
  })
})
