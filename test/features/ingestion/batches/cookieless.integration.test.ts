import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { SNAPSHOT_EVENT_NAME } from "../../../../src/features/capture/index.js"
import { forgetOldVisitors } from "../../../../src/features/cookieless/index.js"
import type { BatchLog } from "../../../../src/features/ingestion/batches/batch.types.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { Crash, Journey, NOW_MS, type SentEvent, sent } from "./journey.js"

const EVERYBODY = "$posthog_cookieless"
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY = new Date(NOW_MS).toISOString().slice(0, 10)

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

interface Visit {
  readonly browser?: string
  readonly minute?: number
  readonly distinctId?: string
}

/** As posthog-js sends it with `cookieless_mode: "always"`, some minutes after the first. */
function visit(
  event: string,
  { browser = "Firefox", minute = 0, distinctId = EVERYBODY }: Visit = {},
  more: JsonObject = {},
) {
  return sent(event, distinctId, {
    timestamp: new Date(NOW_MS + minute * MINUTE_MS).toISOString(),
    properties: {
      $cookieless_mode: true,
      $raw_user_agent: browser,
      $host: "shop.example.com",
      $timezone: "UTC",
      distinct_id: distinctId,
      $device_id: null,
      $process_person_profile: false,
      ...more,
    },
  })
}

const login = (distinctId: string, given: Visit = {}): SentEvent =>
  visit(
    "$identify",
    { ...given, distinctId },
    {
      $anon_distinct_id: EVERYBODY,
      $process_person_profile: true,
      $set: { name: distinctId },
      $set_once: { $initial_raw_user_agent: "Firefox" },
    },
  )

/** Stored events with their properties, in the order in which they were sent. */
async function stored(journey: Journey) {
  const events = await journey.events()
  return events.map(({ properties, ...event }) => ({ ...event, properties: JSON.parse(properties) as JsonObject }))
}

const sessionsOf = (events: Awaited<ReturnType<typeof stored>>) =>
  events.map(({ properties }) => properties.$session_id)

/** Dies when the rows are in ClickHouse and nothing is committed. */
const dyingBeforeCommit = (log: BatchLog): BatchLog => ({
  ...log,
  transaction: (work) =>
    log.transaction((transaction) =>
      work({
        ...transaction,
        finish: async () => {
          throw new Crash()
        },
      }),
    ),
})

describe("visitors without cookies", () => {
  test("are told apart by their browsers, and their visits by half an hour of nothing", async () => {
    const journey = new Journey(stores)
    await journey.append(
      visit("a"),
      visit("b", { browser: "Safari" }),
      visit("a", { minute: 29 }),
      visit("a", { minute: 60 }),
    )
    expect(await journey.work()).toEqual({ stored: 4, dropped: 0 })
    const events = await stored(journey)
    const ids = events.map(({ distinct_id }) => distinct_id)
    expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 1, 0, 0])
    expect(new Set(events.map(({ person }) => person)).size).toBe(2)
    const sessions = sessionsOf(events)
    expect(sessions.map((id) => sessions.indexOf(id))).toEqual([0, 1, 0, 3])
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(2)
  })

  test("leave nothing in the stored event that tells who they were", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("a", {}, { $cookieless_extra: "x", $ip: "198.51.100.1" }))
    await journey.work()
    const [event] = await stored(journey)
    expect(event?.properties).toEqual({
      $cookieless_mode: true,
      $host: "shop.example.com",
      $timezone: "UTC",
      distinct_id: event?.distinct_id,
      $device_id: event?.distinct_id,
      $session_id: expect.any(String),
      $process_person_profile: false,
    })
  })

  test("who log in are one person with what they did before, and whoever comes afterwards is another", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("before"), login("ada"), visit("signed in", { distinctId: "ada" }), visit("after"))
    await journey.append(login("bob"), visit("last"))
    await journey.work()
    const events = await stored(journey)
    const [before, ada, signedIn, after, bob, last] = events.map(({ person }) => person)
    expect([before, signedIn]).toEqual([ada, ada])
    expect(bob).toBe(after)
    expect(new Set([ada, bob, last]).size).toBe(3)
    expect(new Set(sessionsOf(events)).size).toBe(1)
    expect((await journey.storedPersons()).map(({ properties }) => properties.name).sort()).toEqual(["ada", "bob"])
    expect(JSON.stringify(await journey.storedPersons())).not.toContain("Firefox")
    expect(JSON.stringify(events)).not.toContain(EVERYBODY)
  })

  test("log in once when the login is sent again, in one request or later", async () => {
    const journey = new Journey(stores)
    const once = login("ada")
    await journey.append(once, once)
    await journey.work()
    await journey.append(once, visit("after"))
    await journey.work()
    expect(await journey.count("cookieless_visitor WHERE project_id = $1 AND logins = 1")).toBe(1)
  })

  test("have the same ids when their batch is worked out again, and none is stored twice", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("before"), login("ada"), visit("after"))
    await expect(journey.work({ wrap: dyingBeforeCommit })).rejects.toMatchObject({ cause: expect.any(Crash) })
    const first = await stored(journey)
    expect(first).toHaveLength(3)
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(0)
    expect(await journey.work()).toEqual({ stored: 3, dropped: 0 })
    expect(await stored(journey)).toEqual(first)
    expect(await journey.count("cookieless_visitor WHERE project_id = $1 AND logins = 1")).toBe(1)
    // What comes next follows from the state that was committed: it agrees with what ClickHouse got the first time.
    await journey.append(visit("next", { minute: 1 }))
    await journey.work()
    const next = (await stored(journey)).at(-1)
    expect(next).toMatchObject({ distinct_id: first.at(-1)?.distinct_id })
    expect(next?.properties.$session_id).toBe(first.at(-1)?.properties.$session_id)
  })

  test("are no more than their browser where the project keeps nothing", async () => {
    const journey = new Journey(stores)
    const stateless = { $cookieless_mode: "stateless" }
    await journey.append(visit("a", {}, stateless), visit("a", { minute: 120 }, stateless))
    await journey.work()
    const [first, later] = await stored(journey)
    expect(first?.properties.$cookieless_mode).toBe(true)
    expect(later).toMatchObject({
      distinct_id: first?.distinct_id,
      properties: { $session_id: first?.properties.$session_id },
    })
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(0)
  })

  test("begin no session by messages of a recording, which keep the ids that they came with", async () => {
    const journey = new Journey(stores)
    await journey.append(visit(SNAPSHOT_EVENT_NAME))
    await journey.work()
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(0)
  })

  test("that an older version logged without what tells them stay everybody's", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("a", {}, { $host: null }))
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
    expect(await stored(journey)).toMatchObject([{ distinct_id: EVERYBODY }])
  })
})

describe("the salt of a day", () => {
  const forgetAt = async (nowMs: number): Promise<boolean> => {
    const client = await stores.pool.connect()
    try {
      return await forgetOldVisitors(client, nowMs)
    } finally {
      client.release()
    }
  }
  const endOfDayMs = Date.parse(DAY) + 24 * HOUR_MS

  test("is one for all, and goes with its visitors when no event of the day can come any more, unless one waits", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("a"))
    await journey.work()
    const salts = () => journey.count("cookieless_salt WHERE $1::int > 0")
    expect(await salts()).toBe(1)
    await journey.append(visit("waits"))
    await forgetAt(endOfDayMs + 100 * HOUR_MS)
    expect(await salts()).toBe(1)
    await journey.work()
    await forgetAt(endOfDayMs + 84 * HOUR_MS)
    expect(await salts()).toBe(1)
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(1)
    expect(await forgetAt(endOfDayMs + 86 * HOUR_MS)).toBe(false)
    expect(await salts()).toBe(0)
    expect(await journey.count("cookieless_visitor WHERE project_id = $1")).toBe(0)
  })

  test("is made anew once it is gone: nobody gets yesterday's id again", async () => {
    const journey = new Journey(stores)
    await journey.append(visit("a"))
    await journey.work()
    await forgetAt(endOfDayMs + 200 * HOUR_MS)
    await journey.append(visit("a"))
    await journey.work()
    expect(new Set((await stored(journey)).map(({ distinct_id }) => distinct_id)).size).toBe(2)
  })
})
