import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { AppError } from "../../../src/kernel/errors.js"
import type { Json } from "../../../src/kernel/json.js"
import { checkValue, NestingGuard } from "../../../src/transport/wire/nesting.js"

const MAX_DEPTH = 3

/** The rule, one character after the other. */
function nestsTooDeep(text: string): boolean {
  let [depth, inText] = [0, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (inText && character === "\\") index++
    else if (character === '"') inText = !inText
    else if (!inText && "[{".includes(character)) depth++
    else if (!inText && "]}".includes(character)) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

function isRefused(chunks: readonly string[]): boolean {
  const guard = new NestingGuard(MAX_DEPTH)
  return refuses(() => {
    for (const chunk of chunks) guard.scan(Buffer.from(chunk))
  })
}

function refuses(look: () => void): boolean {
  try {
    look()
    return false
  } catch (fault) {
    if (fault instanceof AppError) return true
    throw fault
  }
}

describe("the limit of nesting", () => {
  test("is told from brackets outside of texts, wherever the text is cut into chunks", () => {
    const part = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "a") })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (chunks) => {
        expect(isRefused(chunks)).toBe(nestsTooDeep(chunks.join("")))
      }),
      { numRuns: 5_000 },
    )
  })

  test("is the same for a value that is parsed already", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(refuses(() => checkValue(value as Json, MAX_DEPTH))).toBe(nestsTooDeep(JSON.stringify(value)))
      }),
      { numRuns: 2_000 },
    )
  })
})
