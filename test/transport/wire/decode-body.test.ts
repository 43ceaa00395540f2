import zlib from "node:zlib"
import { describe, expect, test } from "@jest/globals"
import lzString from "lz-string"
import type { BodyRules } from "../../../src/kernel/direct-route.types.js"
import type { AppError } from "../../../src/kernel/errors.js"
import type { Json } from "../../../src/kernel/json.js"
import { decodeBody } from "../../../src/transport/wire/decode-body.js"
import { holdFreely } from "../../support/ample-memory.js"

const RULES: BodyRules = { maxBytes: 20 * 1024 * 1024 }
const EVENT = { api_key: "phc_tëst", event: "größe", distinct_id: "用户 1" }
const TEXT = JSON.stringify(EVENT)
const FORM = "application/x-www-form-urlencoded"

interface Sent {
  readonly contentType?: string
  readonly contentEncoding?: string
  readonly body?: Buffer | string
  readonly query?: string
}

const read = async ({ contentType, contentEncoding, query, body }: Sent, rules: Partial<BodyRules> = {}) =>
  decodeBody(
    {
      headers: { "content-type": contentType, "content-encoding": contentEncoding },
      query: new URLSearchParams(query),
      hold: holdFreely,
      body: typeof body === "string" ? Buffer.from(body) : (body ?? Buffer.alloc(0)),
    },
    { ...RULES, ...rules },
  )

const decode = async (sent: Sent, rules?: Partial<BodyRules>): Promise<Json> => (await read(sent, rules)).json

const faultOf = (sent: Sent, rules?: Partial<BodyRules>): Promise<AppError> =>
  decode(sent, rules).then(
    (value) => {
      throw new Error(`decoded to ${JSON.stringify(value)}`)
    },
    (fault: AppError) => fault,
  )

const base64 = (data: string | Buffer): string => Buffer.from(data).toString("base64")

describe("what is told of a body's text", () => {
  test("is its bytes without packing, and that all in it can be stored as it is", async () => {
    const plain = { json: EVENT, bytes: Buffer.from(TEXT), hasUnicodeEscapes: false, hasOnlyFiniteNumbers: true }
    expect(await read({ body: TEXT })).toEqual(plain)
    expect(await read({ body: zlib.gzipSync(TEXT), contentEncoding: "gzip" })).toEqual(plain)
  })

  test("is that it holds escapes by number, or a number beyond all doubles", async () => {
    expect(await read({ body: zlib.gzipSync('{"a\\u0000":1}') })).toMatchObject({ hasUnicodeEscapes: true })
    expect(await read({ body: "[[-1e999],1]" })).toMatchObject({ hasOnlyFiniteNumbers: false })
    const large = `[${" ".repeat(1024 * 1024)}]`
    expect(await read({ body: large })).toMatchObject({ hasOnlyFiniteNumbers: false })
  })
})

test.each(["", " ".repeat(1024 * 1024)])(
  "an id of more digits than a double has is a text, and the body is not what was sent",
  async (space) => {
    const told = await read({ body: `{"distinct_id":12345678901234567890,"n":12345678901234567890${space}}` })
    expect(told).toMatchObject({ json: { distinct_id: "12345678901234567890", n: 12345678901234567000 } })
    expect(told.hasOnlyFiniteNumbers).toBe(false)
  },
)

describe("a body is decoded however a real client packed it", () => {
  const packed: Record<string, Sent> = {
    "plain JSON": { body: TEXT, contentType: "application/json" },
    "plain JSON as text/plain": { body: TEXT, contentType: "text/plain" },
    "plain JSON without a content type, after white space": { body: `\n ${TEXT}` },
    "plain JSON behind a byte order mark": { body: `\uFEFF${TEXT}` },
    "gzip by Content-Encoding": { body: zlib.gzipSync(TEXT), contentEncoding: "gzip" },
    "gzip by compression=gzip-js": { body: zlib.gzipSync(TEXT), query: "compression=gzip-js&ip=1&_=1700000000000" },
    "gzip by its first bytes alone, as posthog-js sends it today": {
      body: zlib.gzipSync(TEXT),
      contentType: "text/plain",
    },
    "an upper-case hint": { body: zlib.gzipSync(TEXT), query: "compression=GZIP" },
    "a hint nobody knows before plain JSON": { body: TEXT, query: "compression=zip" },
    "zlib deflate": { body: zlib.deflateSync(TEXT), contentEncoding: "deflate" },
    "raw deflate": { body: zlib.deflateRawSync(TEXT), contentEncoding: "deflate" },
    brotli: { body: zlib.brotliCompressSync(TEXT), contentEncoding: "br" },
    zstd: { body: zlib.zstdCompressSync(TEXT), contentEncoding: "zstd" },
    "base64 without a hint": { body: base64(TEXT) },
    "base64 with its padding percent-encoded": {
      body: base64(`${TEXT} `).replaceAll("=", "%3D"),
      query: "compression=base64",
    },
    "a form with base64 and no hint": { body: `data=${encodeURIComponent(base64(TEXT))}`, contentType: FORM },
    "a form whose plus signs became spaces": {
      body: `data=${base64(TEXT)}`,
      contentType: `${FORM}; charset=UTF-8`,
      query: "compression=base64",
    },
    "a form with lz64 named in the body": {
      body: new URLSearchParams({ data: lzString.compressToBase64(TEXT), compression: "lz64" }).toString(),
      contentType: FORM,
    },
    "a form with lz64 named in the query": {
      body: `data=${encodeURIComponent(lzString.compressToBase64(TEXT))}&ver=1.2.3`,
      contentType: FORM,
      query: "compression=lz64",
    },
    "a form with gzip in base64": {
      body: new URLSearchParams({ data: base64(zlib.gzipSync(TEXT)) }).toString(),
      contentType: FORM,
      query: "compression=gzip",
    },
    "a form that is bare base64 with its signs percent-encoded": {
      body: encodeURIComponent(base64(`${TEXT} `)),
      contentType: FORM,
    },
    "a form that is bare base64": {
      body: base64(TEXT).padEnd(Math.ceil(base64(TEXT).length / 4) * 4, "="),
      contentType: FORM,
    },
    "a form that is bare base64 without its padding": {
      body: base64(`${TEXT} `).replaceAll("=", ""),
      contentType: FORM,
      query: "compression=base64",
    },
    "JSON in the query field data": { query: new URLSearchParams({ data: TEXT }).toString() },
    "base64 in the query field data, which wins over the body": {
      query: new URLSearchParams({ data: base64(TEXT) }).toString(),
      body: "{}",
    },
  }
  test.each(Object.entries(packed))("%s", async (_name, sent) => {
    expect(await decode(sent)).toEqual(EVENT)
  })

  // posthog-js 1.20.4 to 1.355.0, beacons and whatever is sent before it knows that gzip is understood: `data` is base64 of
  // text in which each half of a surrogate pair was encoded on its own.
  test("a form whose base64 holds an emoji as two halves", async () => {
    const halves = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80])
    const text = Buffer.concat([Buffer.from('{"event":"Köp '), halves, Buffer.from('"}')])
    const sent = { body: `data=${encodeURIComponent(base64(text))}`, contentType: FORM, query: "compression=base64" }
    expect(await decode(sent)).toEqual({ event: "Köp 😀" })
    expect(await decode(sent, { lenientText: true })).toEqual({ event: "Köp 😀" })
  })

  test("a large gzip body is inflated in the background", async () => {
    const events = Array.from({ length: 20_000 }, (_, index) => ({ ...EVENT, index }))
    expect(await decode({ body: zlib.gzipSync(JSON.stringify(events)) })).toEqual(events)
  })

  test("a doubly wrapped body is unwrapped on legacy paths only", async () => {
    const body = zlib.gzipSync(Buffer.from(base64(TEXT)))
    expect(await decode({ body, query: "compression=gzip" }, { legacyBase64Unwrap: true })).toEqual(EVENT)
  })
})

describe("a body that cannot be decoded is a 400 that says why", () => {
  const refused: Record<string, Sent & { says: string }> = {
    "an empty body": { body: "", says: "empty" },
    "JSON that is cut off": { body: '{"event": ', says: "failed to parse" },
    "bare NaN": { body: '{"a":NaN}', says: "failed to parse" },
    HTML: { body: "<html></html>", says: "failed to parse" },
    "text that is no JSON": { body: "not json {{{", says: "failed to parse" },
    "bytes that are not UTF-8": { body: Buffer.from('{"a":"\xff"}', "latin1"), says: "UTF-8" },
    "a damaged gzip checksum": { body: damaged(zlib.gzipSync(TEXT)), says: "gzip" },
    "plain JSON announced as gzip": { body: TEXT, contentEncoding: "gzip", says: "gzip" },
    "gzip inside gzip": { body: zlib.gzipSync(zlib.gzipSync(TEXT)), says: "UTF-8" },
    "two layers of Content-Encoding": {
      body: zlib.gzipSync(TEXT),
      contentEncoding: "gzip, gzip",
      says: "Content-Encoding",
    },
    "an unknown Content-Encoding": { body: TEXT, contentEncoding: "lz4", says: "Content-Encoding" },
    "a form without the field data": { body: "a=b", contentType: FORM, says: "data=" },
    "JSON announced as a form": { body: TEXT, contentType: FORM, says: "application/json" },
    "damaged lz64": { body: "AAAA", query: "compression=lz64", says: "lz64" },
    "a damaged large gzip body": {
      body: damaged(zlib.gzipSync(Buffer.from(`"${"abcdefgh".repeat(100_000)}"`))),
      says: "gzip",
    },
  }
  test.each(Object.entries(refused))("%s", async (_name, { says, ...sent }) => {
    const fault = await faultOf(sent)
    expect(fault.code).toBe("malformed_data")
    expect(fault.message).toContain(says)
  })

  function damaged(gzip: Buffer): Buffer {
    const copy = Buffer.from(gzip)
    copy.writeUInt32LE(0, copy.length - 8)
    return copy
  }
})

describe("limits hold while decoding", () => {
  const bomb = zlib.gzipSync(Buffer.concat([Buffer.from('"'), Buffer.alloc(8 * 1024 * 1024, "x"), Buffer.from('"')]))

  test("a body larger than the wire limit is a 413", async () => {
    expect((await faultOf({ body: TEXT }, { maxBytes: 10 })).code).toBe("payload_too_large")
  })

  test("a body that inflates past its limit is a 413", async () => {
    expect((await faultOf({ body: bomb }, { maxBytes: 1024 * 1024 })).code).toBe("payload_too_large")
  })

  test.each([
    ["gzip", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["br", zlib.brotliCompressSync],
    ["zstd", zlib.zstdCompressSync],
  ] as const)("%s may inflate to its limit, and not to a byte more", async (contentEncoding, compress) => {
    const text = Buffer.from(JSON.stringify({ event: "x".repeat(3 * 1024 * 1024) }))
    const sent = { body: compress(text), contentEncoding }
    expect(await decode(sent, { maxBytes: text.length })).toHaveProperty("event")
    expect((await faultOf(sent, { maxBytes: text.length - 1 })).code).toBe("payload_too_large")
  })

  test("an lz64 body that unpacks past its limit is a 413", async () => {
    const body = lzString.compressToBase64("x".repeat(100_000))
    const fault = await faultOf({ body, query: "compression=lz64" }, { maxBytes: 10_000 })
    expect(fault.code).toBe("payload_too_large")
  })

  test("a brotli bomb of some hundred bytes is a 413", async () => {
    const body = zlib.brotliCompressSync(Buffer.alloc(40 * 1024 * 1024, " "))
    expect(body.length).toBeLessThan(1_000)
    const fault = await faultOf({ body, contentEncoding: "br" }, { maxBytes: 1024 * 1024 })
    expect(fault.message).toBe("The decompressed request body is larger than 1048576 bytes.")
  })

  test("a body of a million values is read, and one of a value more is a 413", async () => {
    const zeros = (count: number) => ({ body: `[${"0,".repeat(count - 1)}0]` })
    expect(await decode(zeros(999_999))).toHaveLength(999_999)
    const fault = await faultOf(zeros(1_000_000))
    expect([fault.code, fault.message]).toEqual([
      "payload_too_large",
      "The request body has more than 1000000 JSON values.",
    ])
  })

  test("five million opening brackets in five kilobytes of gzip are a 400", async () => {
    const fault = await faultOf({ body: zlib.gzipSync(Buffer.alloc(5_000_000, "[")) })
    expect(fault.message).toContain("100 levels")
  })

  test("100 levels are read and 101 are not", async () => {
    expect(await decode({ body: "[".repeat(100) + "]".repeat(100) })).toBeInstanceOf(Array)
    expect((await faultOf({ body: "[".repeat(101) + "]".repeat(101) })).message).toContain("100 levels")
  })

  test("brackets inside texts do not count as levels", async () => {
    const text = `\\"${"[{".repeat(100)}`
    expect(await decode({ body: JSON.stringify([text]) })).toEqual([text])
  })
})

describe("the text of a flag client's body", () => {
  const lenient = { lenientText: true }

  test("may hold numbers that JSON has no word for; they are null, and words in texts stay", async () => {
    const body = '{"a":NaN,"b":[-Infinity, Infinity],"c":"NaN \\" -Infinity","NaN":1}'
    expect(await decode({ body }, lenient)).toEqual({ a: null, b: [null, null], c: 'NaN " -Infinity', NaN: 1 })
    expect((await faultOf({ body })).code).toBe("malformed_data")
  })

  test("may be damaged UTF-8; what cannot be read is replaced", async () => {
    const body = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])
    expect(await decode({ body }, lenient)).toEqual({ a: "\ufffd" })
    expect((await faultOf({ body })).code).toBe("malformed_data")
  })

  test.each(["{NaN:1}", "[NaNs]", "[--NaN]", "[1NaN]", '{"a":NaN', '\\"'.repeat(20)])(
    "is refused as ever when it is no JSON: %j",
    async (body) => {
      expect((await faultOf({ body }, lenient)).code).toBe("malformed_data")
    },
  )
})

describe("the head of a decision request", () => {
  const flagBody = (sent: Sent) => decode({ body: TEXT, ...sent }, { refusesUnknownTypes: true })

  test.each([
    {},
    { contentType: "application/json; charset=utf-8" },
    { contentType: "text/plain;charset=UTF-8" },
    { contentType: "" },
    { query: "compression=" },
    { query: "v=3&compression=base64" },
  ])("is accepted: %j", async (sent) => {
    expect(await flagBody(sent)).toEqual(EVENT)
  })

  test.each([
    { contentType: "application/xml" },
    { contentType: "application/jsonx" },
    { contentType: "multipart/form-data; boundary=x" },
    { query: "compression=snappy" },
  ])("is refused, saying what is possible: %j", async (sent) => {
    await expect(flagBody(sent)).rejects.toThrow(/must be/)
  })
})

describe("what JSON can hold arrives as it was written", () => {
  test("__proto__ is an ordinary key and changes no prototype", async () => {
    const decoded = await decode({ body: '{"__proto__":{"admin":true}}' })
    expect(Object.keys(decoded as object)).toEqual(["__proto__"])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test("NUL and lone surrogates are kept for the features to clean", async () => {
    expect(await decode({ body: '{"a":"\\u0000","b":"\\ud800"}' })).toEqual({ a: "\u0000", b: "\ud800" })
  })

  test("of a repeated key the last value counts", async () => {
    expect(await decode({ body: '{"event":"a","event":"b"}' })).toEqual({ event: "b" })
  })
})
