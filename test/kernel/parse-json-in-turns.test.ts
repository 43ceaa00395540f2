import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { Json } from "../../src/kernel/json.js"
import { JsonOutline } from "../../src/kernel/json-outline.js"
import { parseJsonInTurns } from "../../src/kernel/parse-json-in-turns.js"

const MAX_DEPTH = 100
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

function outlineOf(bytes: Buffer, runBytes: number, chunkBytes: number): JsonOutline {
  const outline = new JsonOutline(MAX_DEPTH, runBytes)
  for (let start = 0; start < bytes.length; start += chunkBytes)
    if (!outline.scan(bytes.subarray(start, start + chunkBytes))) throw new Error("it nests too deep")
  return outline
}

async function inTurns(text: string, runBytes: number, chunkBytes: number): Promise<string> {
  const bytes = Buffer.from(text)
  const runs = outlineOf(bytes, runBytes, chunkBytes).finish()
  return parseJsonInTurns(bytes, runs).then(show, (fault) => (fault instanceof SyntaxError ? NO_JSON : String(fault)))
}

const runBytes = fc.integer({ min: 1, max: 20 })
const chunkBytes = fc.integer({ min: 1, max: 50 })
const blank = fc.constantFrom("", "", "", " ", "\n\t ", "\r")
/** Without a lone backslash as a key: the engine's own parser takes other keys for it (V8 13.6). */
const key = fc.constantFrom(
  '"a"',
  '"batch"',
  '"b\\u0061tch"',
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

/** Texts of JSON that say the same key again, have long numbers and any white space. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const list = (item: fc.Arbitrary<string>, opening: string, closing: string) =>
    fc
      .tuple(fc.array(item, { maxLength: 5 }), blank)
      .map(([items, gap]) => `${opening}${gap}${items.join(",")}${closing}`)
  const spaced = (text: fc.Arbitrary<string>) => fc.tuple(blank, text, blank).map((parts) => parts.join(""))
  const member = fc.tuple(spaced(key), spaced(tie("json"))).map(([name, value]) => `${name}:${value}`)
  return {
    json: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      scalar,
      list(spaced(tie("json")), "[", "]"),
      list(member, "{", "}"),
    ),
  }
})

describe("JSON that is parsed in turns", () => {
  test("is what it is when it is parsed at once, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(json, runBytes, chunkBytes, async (text, ...sizes) => {
        expect(whole(text)).not.toBe(NO_JSON)
        expect(await inTurns(text, ...sizes)).toBe(whole(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test("is refused exactly where parsing it at once refuses it", async () => {
    const damage = fc.constantFrom("", ",", "]", "}", "[", "{", '"', ":", "1", "\\", ",,", "[]", "\ufeff", "NaN")
    await fc.assert(
      fc.asyncProperty(
        json,
        fc.nat(),
        fc.nat(2),
        damage,
        runBytes,
        chunkBytes,
        async (text, at, removed, put, ...sizes) => {
          const place = at % (text.length + 1)
          const damaged = text.slice(0, place) + put + text.slice(place + removed)
          expect(await inTurns(damaged, ...sizes)).toBe(whole(damaged))
        },
      ),
      { numRuns: 4_000 },
    )
  })

  test.each([
    "",
    " ",
    "[,1]",
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
    for (const size of [1, 2, 3, 4, 5]) expect(await inTurns(text, size, 50)).toBe(NO_JSON)
  })

  test("leaves others their turn before it is done", async () => {
    const bytes = Buffer.from(`[${"[0],".repeat(400_000)}0]`)
    const runs = outlineOf(bytes, 256 * 1024, bytes.length).finish()
    let othersTurns = 0
    const others = setInterval(() => othersTurns++)
    const count = ((await parseJsonInTurns(bytes, runs)) as Json[]).length
    clearInterval(others)
    expect(count).toBe(400_001)
    expect(runs.length).toBeGreaterThan(5)
    expect(othersTurns).toBeGreaterThan(0)
  })
})

test("runs are no longer than asked for where there are commas to cut at", () => {
  const bytes = Buffer.from(`{"batch":[${'{"a":{"b":[1,2,3]}},'.repeat(1000)}0]}`)
  const runs = outlineOf(bytes, 100, 64).finish()
  expect(Math.max(...runs.map(({ start, end }) => end - start))).toBeLessThan(120)
})
