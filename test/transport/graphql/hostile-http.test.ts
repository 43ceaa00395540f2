import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { hostileHttpCases, sendHostile } from "../support/hostile-cases.js"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const hasErrors = (text: string): boolean => (JSON.parse(text) as { errors?: unknown[] }).errors !== undefined

describe("hostile GraphQL over HTTP", () => {
  test.each(hostileHttpCases.map((one) => [one.id, one.why, one] as const))("%s: %s", async (_id, _why, one) => {
    const { status, text } = await sendHostile(gateway.url, one)
    expect(status).toBeLessThan(500)
    expect(gateway.defects).toEqual([])
    if (one.expect === "reject" || one.expect === "4xx") {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(hasErrors(text)).toBe(true)
    }
    if (one.expect === "405") expect(status).toBe(405)
    if (one.expect === "200") expect(status).toBe(200)
    if (one.expect === "spec") expect(status).toBeGreaterThanOrEqual(400)
    if (one.expect === "notfound") expect(text).toContain("NOT_FOUND")
    if (one.expect === "forbidden") expect(text).toMatch(/FORBIDDEN|UNAUTHENTICATED/)
    expect(text).not.toMatch(/stacktrace|node_modules/)
  })
})
