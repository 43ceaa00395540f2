import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { AppError } from "../../../src/kernel/errors.js"
import type { Json } from "../../../src/kernel/json.js"
import { checkValue } from "../../../src/transport/wire/check-value.js"
import { scanJson } from "../../../src/transport/wire/scan-json.js"

const MAX_DEPTH = 3
const ANY = 1_000_000
const LIMITS = { maxDepth: 100, maxValues: ANY, maxMembers: ANY }

/** The rule, one character after the other. */
function nestsTooDeep(text: string): boolean {
  let [depth, inText] = [0, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (inText && character === "\\") index++
    else if (character === '"') inText = !inText
    else if (!inText && "[{".includes(character)) depth++
    else if (!inText && "]}".includes(character)) depth = Math.max(0, depth - 1)
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Arrays, objects, texts, numbers and words of a parsed value. */
function countValues(value: Json): number {
  if (typeof value !== "object" || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner as Json), 1)
}

function faultOf(look: () => void): AppError | null {
  try {
    look()
    return null
  } catch (fault) {
    if (fault instanceof AppError) return fault
    throw fault
  }
}

describe("the limit of levels", () => {
  const scan = (text: string) => faultOf(() => scanJson(Buffer.from(text), { ...LIMITS, maxDepth: MAX_DEPTH }))

  test("is told from brackets outside of texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "a") }), (text) => {
        expect(scan(text) !== null).toBe(nestsTooDeep(text))
      }),
      { numRuns: 5_000 },
    )
  })

  test("is a 400 that names the limit", () => {
    expect(scan("[[[[")).toMatchObject({
      code: "malformed_data",
      message: "The request body failed to parse: it nests deeper than 3 levels.",
    })
  })

  test("is the same for a value that is parsed already", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const fault = faultOf(() => checkValue(value as Json, MAX_DEPTH))
        expect(fault !== null).toBe(nestsTooDeep(JSON.stringify(value)))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("the limit of values", () => {
  const scan = (text: string, maxValues: number) => faultOf(() => scanJson(Buffer.from(text), { ...LIMITS, maxValues }))

  test("counts arrays, objects, texts, numbers and words, and no names", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        const count = countValues(value as Json)
        expect(scan(text, count)).toBeNull()
        if (count > 1) expect(scan(text, count - 1)).toMatchObject({ code: "payload_too_large" })
      }),
      { numRuns: 2_000 },
    )
  })

  test("is a 413 that names the limit", () => {
    expect(scan("[1,2]", 2)).toMatchObject({ message: "The request body has more than 2 JSON values." })
  })
})

test("an object may have as many members as allowed, and what is in it or beside it does not count", () => {
  const scan = (text: string) => faultOf(() => scanJson(Buffer.from(text), { ...LIMITS, maxMembers: 3 }))
  expect(scan('[{"a":[1,2,3,4],"b":{"x":1,"y":2},"c":3},{"d":1},1,2,3]')).toBeNull()
  expect(scan('[{"a":1,"b":2,"c":{},"d":4}]')).toMatchObject({
    code: "payload_too_large",
    message: "The request body has more than 3 members in one object.",
  })
})

test("pieces are no longer than asked for where there are commas to cut at", () => {
  const bytes = Buffer.from(`{"batch":[${'{"a":{"b":[1,2,3]}},'.repeat(1000)}0]}`)
  const cuts = scanJson(bytes, LIMITS, 100).map(({ at }) => at)
  const lengths = cuts.map((at, index) => at - (cuts[index - 1] ?? 0))
  expect(cuts.length).toBeGreaterThan(150)
  expect(Math.max(...lengths)).toBeLessThan(130)
})
