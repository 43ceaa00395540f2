import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, test } from "@jest/globals"
import { compressReply, MIN_COMPRESSED_BYTES } from "../../../src/transport/wire/compress-reply.js"

const TEXT = JSON.stringify({ results: Array.from({ length: 200 }, (_, index) => ({ id: index, name: "Żółć" })) })
const REPLY = { status: 200, headers: { "Content-Type": "application/json" }, body: TEXT }

const compress = (accept: string | undefined) => compressReply(REPLY, { "accept-encoding": accept })
const unpack = (encoding: string | undefined, body: unknown): string => {
  const bytes = Buffer.from(body as Uint8Array)
  if (encoding === "br") return brotliDecompressSync(bytes).toString()
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString()
}

describe("an answer", () => {
  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["identity", undefined],
    ["zstd", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("is packed for a client that accepts %p as %p", async (accept, encoding) => {
    const { headers, body } = await compress(accept)
    expect(headers?.["Content-Encoding"]).toBe(encoding)
    expect(headers?.Vary).toBe("Accept-Encoding")
    expect(unpack(encoding, body)).toBe(TEXT)
  })

  test("is packed to a fraction of its size", async () => {
    const { body } = await compress("br")
    expect((body as Uint8Array).length).toBeLessThan(TEXT.length / 4)
  })

  test("that fits into a packet is sent as it is, whoever asks", async () => {
    const small = { status: 200, body: { text: "x".repeat(MIN_COMPRESSED_BYTES - 20) } }
    const { headers, body } = await compressReply(small, { "accept-encoding": "br" })
    expect(headers).toEqual({ "Content-Type": "application/json" })
    expect(unpack(undefined, body)).toBe(JSON.stringify(small.body))
  })

  test("that is packed already, or that has no body, stays as it is", async () => {
    const packed = { ...REPLY, headers: { "Content-Encoding": "gzip" } }
    expect(await compressReply(packed, { "accept-encoding": "br" })).toBe(packed)
    const empty = { status: 204 }
    expect(await compressReply(empty, { "accept-encoding": "br" })).toBe(empty)
  })

  test("adds to what it depends on already", async () => {
    const { headers } = await compressReply({ ...REPLY, headers: { Vary: "Origin" } }, {})
    expect(headers?.Vary).toBe("Origin, Accept-Encoding")
  })
})
