import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { type RunningGateway, startGateway } from "../support/start-gateway.js"

interface Generator {
  readonly prefix?: string
  readonly suffix?: string
  readonly wrap?: readonly [string, string, string, number]
  readonly repeat?: readonly [string, number]
  readonly around?: readonly [string, string]
}
interface HostileCase {
  readonly id: string
  readonly expect: string
  readonly why: string
  readonly generator?: Generator
  readonly query?: string
  readonly rawBody?: unknown
  readonly rawText?: string
  readonly method?: string
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly transport?: string
}

const file = new URL("../cases/hostile-graphql.json", import.meta.url)
const cases = (JSON.parse(readFileSync(file, "utf8")) as { entries: HostileCase[] }).entries.filter(
  (one) => one.transport === undefined,
)

function generate({ prefix = "", suffix = "", wrap, repeat, around = ["", ""] }: Generator): string {
  const wrapped = wrap === undefined ? "" : wrap[0].repeat(wrap[3]) + wrap[1] + wrap[2].repeat(wrap[3])
  const repeated =
    repeat === undefined
      ? ""
      : repeat[0].includes("%d")
        ? Array.from({ length: repeat[1] }, (_, index) => repeat[0].replaceAll("%d", String(index))).join("")
        : repeat[0].repeat(repeat[1])
  return prefix + around[0] + wrapped + repeated + around[1] + suffix
}

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

async function send(one: HostileCase): Promise<{ status: number; text: string }> {
  const headers = { "Content-Type": "application/json", ...one.headers }
  const query = one.generator === undefined ? one.query : generate(one.generator)
  const body = one.rawText ?? JSON.stringify(one.rawBody ?? { query })
  const answer = await fetch(`${gateway.url}${one.url ?? "/graphql"}`, {
    method: one.method ?? "POST",
    headers,
    ...(one.method === "GET" ? {} : { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

const hasErrors = (text: string): boolean => (JSON.parse(text) as { errors?: unknown[] }).errors !== undefined

describe("hostile GraphQL over HTTP", () => {
  test.each(cases.map((one) => [one.id, one.why, one] as const))("%s: %s", async (_id, _why, one) => {
    const { status, text } = await send(one)
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
