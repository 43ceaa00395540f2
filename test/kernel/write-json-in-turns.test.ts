import { expect, test } from "@jest/globals"
import fc from "fast-check"
import type { Json } from "../../src/kernel/json.js"
import { jsonUnitsUpTo } from "../../src/kernel/json-size.js"
import { writeJsonInTurns } from "../../src/kernel/write-json-in-turns.js"

const written = async (value: object): Promise<string> => Buffer.concat(await writeJsonInTurns(value)).toString()

/** Longer than what is written in one piece, with halves of characters wherever it may be cut. */
const LONG_TEXT = `a${"😀".repeat(100_000)}`
const long = fc.constantFrom<Json>(
  LONG_TEXT,
  `${LONG_TEXT}\ud83d`,
  `\u0000"${LONG_TEXT}`,
  "x".repeat(60_000),
  "é".repeat(90_000),
)
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.jsonValue({ maxDepth: 1 }).map((small) => small as Json),
    long,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom("a", "1", "__proto__", 'q"', "x".repeat(140_000)), tie("value"), { maxKeys: 4 }),
  ),
})).value

test("JSON that is written in turns is what it is when it is written at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 5 }), async (given) => {
      expect((await written(given)) === JSON.stringify(given)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test("JSON that is written in turns comes in pieces, however its size is spread", async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => ({ index, text: "some text" }))
  for (const given of [many, [Object.fromEntries(many.map((item) => [item.index, item]))], ["x".repeat(2_000_000)]]) {
    const pieces = await writeJsonInTurns(given)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000)
    expect(Buffer.concat(pieces).toString() === JSON.stringify(given)).toBe(true)
  }
})

test("the size of JSON is told from below and from above without writing it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const bytes = Buffer.byteLength(JSON.stringify(given))
      expect(jsonUnitsUpTo(given as Json, 1e9, 1)).toBeLessThanOrEqual(bytes)
      expect(jsonUnitsUpTo(given as Json, 1e9, 24) * 6).toBeGreaterThanOrEqual(bytes)
    }),
  )
})
