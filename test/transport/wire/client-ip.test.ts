import type { IncomingMessage } from "node:http"
import { describe, expect, test } from "@jest/globals"
import { readClientIp } from "../../../src/transport/wire/client-ip.js"

const requestFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage

describe("the address a request is made for", () => {
  test("is the peer's without any header, IPv4 written plainly", () => {
    expect(readClientIp(requestFrom("::ffff:10.0.0.1"), 0)).toBe("10.0.0.1")
  })

  test("is not taken from X-Forwarded-For when no proxy is trusted", () => {
    expect(readClientIp(requestFrom("10.0.0.1", { "x-forwarded-for": "1.2.3.4" }), 0)).toBe("10.0.0.1")
  })

  test("is the entry that the outermost trusted proxy wrote, so a forged start of the chain does not count", () => {
    const request = requestFrom("10.0.0.1", { "x-forwarded-for": "6.6.6.6, 1.2.3.4, 10.0.0.2" })
    expect([readClientIp(request, 1), readClientIp(request, 2)]).toEqual(["10.0.0.2", "1.2.3.4"])
  })

  test("is the header that the contract names, whoever sends it", () => {
    expect(readClientIp(requestFrom("10.0.0.1", { http_x_forwarded_for: "1.2.3.4, 5.6.7.8" }), 0)).toBe("1.2.3.4")
  })

  test.each([
    ["1.2.3.4:80", "1.2.3.4"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["999.1.1.1", "10.0.0.1"],
    ["2130706433", "10.0.0.1"],
    ["unknown", "10.0.0.1"],
    ["1.2.3.4\u0000", "10.0.0.1"],
    ["a".repeat(8000), "10.0.0.1"],
  ])("is read from %j or falls back to the peer", (written, expected) => {
    expect(readClientIp(requestFrom("10.0.0.1", { http_x_forwarded_for: written }), 0)).toBe(expected)
  })
})
