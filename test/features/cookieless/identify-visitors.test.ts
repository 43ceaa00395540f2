import { describe, expect, test } from "@jest/globals"
import type { ProjectVisit, Visitor, VisitorStore } from "../../../src/features/cookieless/cookieless.types.js"
import { findVisitor, identifyVisitors } from "../../../src/features/cookieless/index.js"
import { asProjectId, isUuid } from "../../../src/kernel/ids.js"

const START_MS = Date.parse("2026-11-21T12:00:00.000Z")
const MINUTE_MS = 60_000
const VISIT: ProjectVisit = {
  projectId: asProjectId(1),
  ipAddress: "203.0.113.7",
  rootDomain: "example.com",
  userAgent: "Firefox",
  extra: "",
  day: "2026-11-21",
  timestampMs: START_MS,
  isStateless: false,
  isLogin: false,
}

/** Keeps in memory what a batch would; each day has another salt. */
function createStore(): VisitorStore & { readonly saved: Visitor[] } {
  const saved: Visitor[] = []
  return {
    saved,
    findSalts: async (days) => new Map(days.map((day) => [day, Buffer.from(day.padEnd(16))])),
    load: async (keys) => {
      const newest = new Map(saved.map((visitor) => [visitor.deviceId, visitor]))
      return keys.flatMap(({ deviceId }) => newest.get(deviceId) ?? [])
    },
    save: async (visitors) => void saved.push(...visitors),
  }
}

const identify = (...visits: Partial<ProjectVisit>[]) =>
  identifyVisitors(
    createStore(),
    visits.map((visit) => ({ ...VISIT, ...visit })),
  )

describe("the id of a visitor without cookies", () => {
  test("is the same for the same browser, all day", async () => {
    const [first, later] = await identify({}, { timestampMs: START_MS + 600 * MINUTE_MS })
    expect(later?.distinctId).toBe(first?.distinctId)
    expect(first).toMatchObject({
      distinctId: expect.stringMatching(/^cookieless_[0-9a-f]{16}$/),
      deviceId: first?.distinctId,
    })
  })

  test.each<[string, Partial<ProjectVisit>]>([
    ["project", { projectId: asProjectId(2) }],
    ["address", { ipAddress: "203.0.113.8" }],
    ["site", { rootDomain: "example.org" }],
    ["browser", { userAgent: "Safari" }],
    ["word of the site", { extra: "x" }],
    ["day", { day: "2026-11-22" }],
  ])("is another for another %s", async (_what, change) => {
    const [one, other] = await identify({}, change)
    expect(other?.distinctId).not.toBe(one?.distinctId)
    expect(other?.sessionId).not.toBe(one?.sessionId)
  })

  test("is another after each login, because somebody else may have come, while device and session stay", async () => {
    const [before, login, after, again, last] = await identify({}, { isLogin: true }, {}, { isLogin: true }, {})
    expect(login).toEqual(before)
    expect(again).toEqual(after)
    expect(new Set([before, after, last].map((visitor) => visitor?.distinctId)).size).toBe(3)
    expect(new Set([before, after, last].map((visitor) => `${visitor?.deviceId} ${visitor?.sessionId}`)).size).toBe(1)
  })
})

describe("the session of a visitor without cookies", () => {
  const sessionsAt = async (...minutes: number[]): Promise<number[]> => {
    const visitors = await identify(...minutes.map((minute) => ({ timestampMs: START_MS + minute * MINUTE_MS })))
    const ids = visitors.map(({ sessionId }) => sessionId)
    return ids.map((id) => ids.indexOf(id))
  }

  test("goes on until nothing has come for 30 minutes", async () => {
    expect(await sessionsAt(0, 30, 60, 91, 95)).toEqual([0, 0, 0, 3, 3])
  })

  test("takes in what arrives late, which does not shorten it", async () => {
    expect(await sessionsAt(0, 20, 5, 45)).toEqual([0, 0, 0, 0])
  })

  test("is a UUIDv7 of the time it began", async () => {
    const [visitor] = await identify({})
    expect(isUuid(visitor?.sessionId ?? "")).toBe(true)
    expect(visitor?.sessionId).toMatch(/^.{14}7.{4}[89ab]/)
    expect(Number.parseInt(visitor?.sessionId.replace("-", "").slice(0, 12) ?? "", 16)).toBe(START_MS)
  })

  test("goes on, and logins count, from one part of a batch to the next", async () => {
    const store = createStore()
    const [first] = await identifyVisitors(store, [{ ...VISIT, isLogin: true }])
    const [second] = await identifyVisitors(store, [{ ...VISIT, timestampMs: START_MS + MINUTE_MS }])
    expect(second?.sessionId).toBe(first?.sessionId)
    expect(second?.distinctId).not.toBe(first?.distinctId)
  })
})

test("who comes next is found as their next event will be, and nothing is kept of the question", async () => {
  const store = createStore()
  const askedBefore = await findVisitor(store, VISIT)
  const [first] = await identifyVisitors(store, [VISIT, { ...VISIT, isLogin: true }])
  expect(askedBefore).toBe(first?.distinctId)
  const askedAfter = await findVisitor(store, VISIT)
  expect(store.saved).toHaveLength(1)
  expect(await identifyVisitors(store, [VISIT])).toMatchObject([{ distinctId: askedAfter }])
})

test("where nothing is kept of visitors, a browser has one session a day and no state", async () => {
  const store = createStore()
  const visits = [0, 300].map((minute) => ({ ...VISIT, isStateless: true, timestampMs: START_MS + minute * MINUTE_MS }))
  const [first, later] = await identifyVisitors(store, visits)
  expect(later).toEqual(first)
  expect(store.saved).toEqual([])
})
