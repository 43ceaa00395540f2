import { describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import lzString from "lz-string"
import type { AppError } from "../../../src/kernel/errors.js"
import { decompressLz64 } from "../../../src/transport/wire/lz64.js"

const unpack = (packed: string): string => decompressLz64(Buffer.from(packed), 1_000_000)

describe("lz64", () => {
  test("unpacks whatever lz-string packed", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("a", "b", "é", "用") })),
        (text) => {
          expect(unpack(lzString.compressToBase64(text))).toBe(text.toWellFormed())
        },
      ),
    )
  })

  test("unpacks long repetitive JSON", () => {
    const text = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ event: "e", index })))
    expect(unpack(lzString.compressToBase64(text))).toBe(text)
  })

  test("refuses any damage with a fault and never anything else", () => {
    fc.assert(
      fc.property(fc.base64String({ maxLength: 200 }), (noise) => {
        try {
          unpack(noise)
        } catch (fault) {
          expect((fault as AppError).code).toMatch(/^(malformed_data|payload_too_large)$/)
        }
      }),
    )
  })
})
