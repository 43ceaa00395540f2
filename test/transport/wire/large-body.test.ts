import zlib from "node:zlib"
import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import type { BodyRules } from "../../../src/kernel/direct-route.types.js"
import { decodeBody } from "../../../src/transport/wire/decode-body.js"
import { holdFreely } from "../../support/ample-memory.js"

const RULES: BodyRules = { maxBytes: 20 * 1024 * 1024 }
const LONG = "12345678901234567890"

/** What becomes of a body, with what order its keys have. */
async function outcomeOf(body: Buffer, contentEncoding?: string, rules: Partial<BodyRules> = {}): Promise<string> {
  const encoded = {
    headers: { "content-encoding": contentEncoding },
    query: new URLSearchParams(),
    body,
    hold: holdFreely,
  }
  try {
    const { json, hasUnicodeEscapes } = await decodeBody(encoded, { ...RULES, ...rules })
    return JSON.stringify({ json, hasUnicodeEscapes })
  } catch (fault) {
    return String(fault)
  }
}

/** Longer than a piece, so that a body is cut at every comma that stands behind one. */
const GAP = Buffer.alloc(600 * 1024, " ")
const large = (parts: readonly (string | Buffer)[], [gapAt, ...moreGaps]: readonly number[]): Buffer => {
  const gaps = new Set([gapAt, ...moreGaps].map((at = 0) => at % parts.length))
  const filled = parts.flatMap((part, index) => [Buffer.from(part), ...(gaps.has(index) ? [GAP] : [])])
  return Buffer.concat([...filled, GAP, GAP])
}

/** Tokens of a body, so that gaps between them change nothing. Bytes are texts as clients damage them. */
const token = fc.constantFrom<string | Buffer>('"x"', "1", LONG, '"\\u0000"', '"\\ud83d"', '"日本"', "true", "1e999")
const bytesToken = fc.constantFrom<Buffer>(
  Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0x22]),
  Buffer.from([0x22, 0xff, 0x22]),
)
const name = fc.constantFrom(
  '"batch"',
  '"b\\u0061tch"',
  '"api_key"',
  '"distinct_id"',
  '"alias"',
  '"$groups"',
  '"groups"',
  '"a"',
  '"__proto__"',
  '"\\"alias"',
)
const separated = (items: (string | Buffer)[][]) =>
  items.flatMap((item, index) => (index === 0 ? item : [",", ...item]))
const { value } = fc.letrec<{ value: (string | Buffer)[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    token.map((one) => [one]),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => ["[", ...separated(items), "]"]),
    fc
      .uniqueArray(fc.tuple(name, tie("value")), { maxLength: 6, selector: ([key]) => JSON.parse(key) as string })
      .map((members) => ["{", ...separated(members.map(([key, inner]) => [key, ":", ...inner])), "}"]),
  ),
}))
const body = value.map((inner) => ['{"a":', ...inner, ",", '"batch"', ":", "[", ...inner, "]", "}"])
const gaps = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })

describe("a large body", () => {
  test("is read as a small one that says the same", async () => {
    await fc.assert(
      fc.asyncProperty(body, gaps, async (parts, at) => {
        const small = Buffer.concat(parts.map((part) => Buffer.from(part)))
        expect(await outcomeOf(large(parts, at))).toBe(await outcomeOf(small))
      }),
      { numRuns: 40 },
    )
  })

  test("is refused in the words that a small one is refused in", async () => {
    const damage = fc.constantFrom<string | Buffer>(",", "]", "}", "[", "x", '"', "\ufeff")
    await fc.assert(
      fc.asyncProperty(
        body,
        gaps,
        fc.nat(),
        fc.oneof(damage, bytesToken),
        fc.boolean(),
        async (given, at, where, put, isLenient) => {
          const parts = [...given]
          parts.splice(where % (parts.length + 1), 0, put)
          const small = Buffer.concat(parts.map((part) => Buffer.from(part)))
          const rules = { lenientText: isLenient }
          expect(await outcomeOf(large(parts, at), undefined, rules)).toBe(await outcomeOf(small, undefined, rules))
        },
      ),
      { numRuns: 40 },
    )
  })

  test.each([
    ["joined halves of surrogate pairs", Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]), '"😀"'],
    [
      "any damage of UTF-8",
      Buffer.from([0x22, 0xff, 0x22]),
      "Error: The request body failed to decode: it is not valid UTF-8.",
    ],
  ])("has %s as a small one has", async (_what, text, expected) => {
    const outcome = await outcomeOf(large(["[", text, ",", text, "]"], [1, 3]))
    expect(outcome).toContain(expected)
    expect(outcome).toBe(
      await outcomeOf(Buffer.concat([Buffer.from("["), text, Buffer.from(","), text, Buffer.from("]")])),
    )
  })

  test("keeps the digits of ids and of keys of groups wherever it is cut, and only theirs", async () => {
    const groups = [
      '{"$groups":{',
      `"a":${LONG}`,
      ",",
      `"b":{"c":${LONG}`,
      ",",
      `"groups":{"d":${LONG}`,
      ",",
      `"e":${LONG}}}`,
      ",",
      `"f":${LONG}}`,
    ]
    const parts = [...groups, ",", `"alias":${LONG}`, ",", `"n":${LONG}}`]
    const small = await outcomeOf(Buffer.from(parts.join("")))
    expect(small).toContain(`"$groups":{"a":"${LONG}"`)
    for (let gap = 0; gap < parts.length; gap++) expect(await outcomeOf(large(parts, [gap, gap + 2]))).toBe(small)
  })

  test("is read alike when it comes packed, and behind white space or a byte-order mark", async () => {
    const parts = ['{"a":[', "1", ",", '{"b":2', ",", '"c":"x"}', "]}"]
    const expected = await outcomeOf(Buffer.from(parts.join("")))
    const plain = large(parts, [1, 3])
    expect(await outcomeOf(zlib.gzipSync(plain), "gzip")).toBe(expected)
    expect(await outcomeOf(zlib.zstdCompressSync(plain), "zstd")).toBe(expected)
    expect(await outcomeOf(Buffer.from(plain.toString("base64")))).toBe(expected)
    expect(await outcomeOf(Buffer.concat([Buffer.from(" \n"), plain]))).toBe(expected)
    expect(await outcomeOf(Buffer.concat([Buffer.from("\ufeff"), plain]))).toBe(expected)
  })

  test("is refused for its depth before any of it is parsed", async () => {
    const deep = await outcomeOf(large(["[".repeat(101), "no JSON"], [0]))
    expect(deep).toBe("AppError: The request body failed to parse: it nests deeper than 100 levels.")
  })
})

test("NaN is corrected in bodies of flags up to their limit", async () => {
  const body = Buffer.from(`{"a":NaN,"b":"${"日".repeat(340 * 1024)}"}`)
  expect(await outcomeOf(body, undefined, { maxBytes: 1024 * 1024, lenientText: true })).toContain('{"a":null,"b":"日')
})
