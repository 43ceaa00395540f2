import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { Json } from "../../../src/kernel/json.js"
import { parseInPieces } from "../../../src/transport/wire/parse-in-pieces.js"
import { JSON_LIMITS, scanJson } from "../../../src/transport/wire/scan-json.js"

const NO_JSON = "no JSON"

/** Shows what `toEqual` does not tell apart: the order of keys, and `__proto__` as a key of its own. */
const show = (value: Json): string => JSON.stringify(value)

function whole(text: string): string {
  try {
    return show(JSON.parse(text))
  } catch {
    return NO_JSON
  }
}

async function inPieces(text: string, pieceBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const cuts = scanJson(bytes, JSON_LIMITS, pieceBytes)
  const parsed = parseInPieces(bytes, cuts, (piece) => JSON.parse(piece) as Json)
  return parsed.then(show, (fault) => (fault instanceof SyntaxError ? NO_JSON : String(fault)))
}

const pieceBytes = fc.integer({ min: 1, max: 20 })
const blank = fc.constantFrom("", "", "", " ", "\n\t ", "\r")
/** Without a lone backslash as a key: the engine's own parser takes other keys for it (V8 13.6). */
const key = fc.constantFrom(
  '"a"',
  '"batch"',
  '"b\\u0061t"',
  '"__proto__"',
  '"1"',
  '"0"',
  '""',
  '"\\"q"',
  '"x,y"',
  '"]}"',
)
const scalar = fc.constantFrom(
  "1",
  "-0.5e+3",
  "12345678901234567890",
  "true",
  "null",
  '"a,b"',
  '"\\\\"',
  '"\\"]"',
  '"\\ud83d"',
  '"日"',
)

/** Texts of JSON that have long numbers and any white space. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const list = (items: fc.Arbitrary<string[]>, opening: string, closing: string) =>
    fc.tuple(items, blank).map(([inner, gap]) => `${opening}${gap}${inner.join(",")}${closing}`)
  const spaced = (text: fc.Arbitrary<string>) => fc.tuple(blank, text, blank).map((parts) => parts.join(""))
  const item = spaced(tie("json"))
  const members = fc.uniqueArray(fc.tuple(key, blank, item), { maxLength: 5, selector: ([name]) => name })
  return {
    json: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      scalar,
      list(fc.array(item, { maxLength: 5 }), "[", "]"),
      list(
        members.map((all) => all.map(([name, gap, value]) => `${gap}${name}${gap}:${value}`)),
        "{",
        "}",
      ),
    ),
  }
})

describe("JSON that is parsed in pieces", () => {
  test("is what it is when it is parsed as a whole, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(json, pieceBytes, async (text, size) => {
        expect(whole(text)).not.toBe(NO_JSON)
        expect(await inPieces(text, size)).toBe(whole(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test("is refused exactly where parsing it as a whole refuses it", async () => {
    const damage = fc.constantFrom("", ",", "]", "}", "[", "{", '"', ":", "1", "\\", ",,", "[]", "\ufeff", "NaN")
    await fc.assert(
      fc.asyncProperty(json, fc.nat(), fc.nat(2), damage, pieceBytes, async (text, at, removed, put, size) => {
        const place = at % (text.length + 1)
        const damaged = text.slice(0, place) + put + text.slice(place + removed)
        expect((await inPieces(damaged, size)) === NO_JSON).toBe(whole(damaged) === NO_JSON)
      }),
      { numRuns: 4_000 },
    )
  })

  test.each([
    "",
    " ",
    "[,1]",
    "[ ,1]",
    "[1,]",
    "[1,,2]",
    '{"a":1,}',
    '{,"a":1}',
    "[1},2]",
    "[[1,2],3]]",
    "[[1,2],3],4",
    "1,2",
    "[1,2",
    "]1,[2",
  ])("is refused for what no cut may hide: %s", async (text) => {
    for (const size of [1, 2, 3, 4, 5]) expect(await inPieces(text, size)).toBe(NO_JSON)
  })

  test("takes the last of two values of a name that are of different kinds", async () => {
    const text = '{"a":[1,2,3],"b":1,"a":{"c":4}}'
    for (const size of [1, 2, 3, 4, 5]) expect(await inPieces(text, size)).toBe(whole(text))
  })

  test("lets the event loop serve others before it is done", async () => {
    const bytes = Buffer.from(`[${"[0],".repeat(400_000)}0]`)
    const cuts = scanJson(bytes, { ...JSON_LIMITS, maxValues: 2_000_000 })
    let served = 0
    const others = setInterval(() => served++)
    const parsed = (await parseInPieces(bytes, cuts, (piece) => JSON.parse(piece) as Json)) as Json[]
    clearInterval(others)
    expect(parsed).toHaveLength(400_001)
    expect(cuts.length).toBeGreaterThan(2)
    expect(served).toBeGreaterThan(0)
  })
})
