import { describe, expect, test } from "@jest/globals"
import { isUuid } from "../../../src/kernel/ids.js"
import { toBase62 } from "../../../src/platform/ids/base62.js"
import { createIds } from "../../../src/platform/ids/ids.js"

describe("ids", () => {
  const ids = createIds()

  test("base 62 counts 0-9, a-z, A-Z and pads on the left", () => {
    expect([0, 9, 10, 35, 36, 61, 62].map((value) => toBase62(Uint8Array.of(value), 2))).toEqual([
      "00",
      "09",
      "0a",
      "0z",
      "0A",
      "0Z",
      "10",
    ])
    expect(toBase62(new Uint8Array(32).fill(255), 43)).toHaveLength(43)
  })

  test("secrets carry their prefix, 43 characters and never repeat", () => {
    const secrets = Array.from({ length: 200 }, () => ids.secret("phx_"))
    expect(secrets.every((secret) => /^phx_[0-9a-zA-Z]{43}$/.test(secret))).toBe(true)
    expect(new Set(secrets).size).toBe(200)
  })

  test("UUIDs are well-formed, and those of version 7 sort by the time they were made", () => {
    const made = Array.from({ length: 50 }, () => ids.uuidV7())
    expect([...made, ids.uuidV4()].every(isUuid)).toBe(true)
    expect(made.toSorted()).toEqual(made)
  })

  test("short ids have the length asked for", () => {
    expect(ids.shortId(8)).toMatch(/^[0-9a-zA-Z]{8}$/)
  })
})
