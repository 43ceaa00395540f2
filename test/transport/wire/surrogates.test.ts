import { describe, expect, test } from "@jest/globals"
import { joinSurrogates } from "../../../src/transport/wire/surrogates.js"

/** Every UTF-16 unit by itself, as posthog-js 1.20 to 1.355 encodes before base64. */
const encodeUnits = (text: string): Buffer =>
  Buffer.from(
    Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((unit) => {
      if (unit < 0x80) return [unit]
      if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)]
      return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]
    }),
  )
const read = (bytes: Buffer): string => joinSurrogates(bytes).toString()

describe("text whose surrogate halves were encoded one by one", () => {
  test.each(["😀", "Köp 😀😀 ☕ 한국", "a😀b𝒳", "", "퟿ is no surrogate", "no emoji"])(
    "reads as it was written: %s",
    (text) => {
      expect(read(encodeUnits(text))).toBe(text)
    },
  )

  test("shows a half without the other as the replacement character, and goes on after it", () => {
    expect(read(encodeUnits("a\ud83db\ude00c😀"))).toBe("a\ufffdb\ufffdc😀")
    expect(read(encodeUnits("\ude00\ud83d"))).toBe("\ufffd\ufffd")
  })

  test("leaves other damage, and what ends too early, as it was", () => {
    for (const bytes of [[0xff], [0xed], [0xed, 0xa0], [0xed, 0xa0, 0x41], [0xed, 0x9f, 0xbf]])
      expect(joinSurrogates(Buffer.from(bytes))).toEqual(Buffer.from(bytes))
  })
})
