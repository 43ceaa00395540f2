import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { PoolClient } from "pg"
import type { BatchLog, BatchTransaction } from "../../../../src/features/ingestion/batches/batch.types.js"
import { forgetOldUuids } from "../../../../src/features/ingestion/batches/event-uuid.store.js"
import { createPersonStore, derivePersonId } from "../../../../src/features/persons/index.js"
import { AppError } from "../../../../src/kernel/errors.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import type { ClickHouse, Insert } from "../../../../src/platform/clickhouse/click-house.js"
import { EngineError } from "../../../../src/platform/clickhouse/click-house.js"
import { type RealStores, startRealStores } from "../real-stores.js"
import { Crash, Journey, NOW_MS, nextUuid, type SentEvent, sent } from "./journey.js"

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

/** ClickHouse whose inserts pass through `insert`. */
const withInsert = (insert: (given: Insert, pass: () => Promise<void>) => Promise<void>): ClickHouse =>
  Object.assign(Object.create(stores.clickHouse) as ClickHouse, {
    insert: (given: Insert) => insert(given, () => stores.clickHouse.insert(given)),
  })

/** A log whose transactions pass through `change`. */
const withTransaction =
  (change: (transaction: BatchTransaction) => Partial<BatchTransaction>) =>
  (log: BatchLog): BatchLog => ({
    ...log,
    transaction: (work) => log.transaction((transaction) => work({ ...transaction, ...change(transaction) })),
  })

describe("a batch", () => {
  test("becomes events, persons and groups, and leaves the log", async () => {
    const journey = new Journey(stores)
    await journey.append(
      sent("$pageview", "user", {
        properties: {
          $browser: "Chrome",
          $set: { email: "A@Example.com" },
          $groups: { company: "acme" },
          $session_id: "s",
        },
      }),
      sent("$groupidentify", "$company_acme", {
        properties: { $group_type: "company", $group_key: "acme", $group_set: { name: "Acme" } },
      }),
    )
    expect(await journey.work()).toEqual({ stored: 2, dropped: 0 })

    const events = await stores.clickHouse.rows({
      sql: `SELECT event, distinct_id, toString(person_id) AS person, person_mode, \`$group_0\` AS company,
              \`$session_id\` AS session, JSONExtractString(properties, '$ip') AS ip, toString(timestamp) AS time,
              JSONExtractString(person_properties, '$initial_browser') AS browser
            FROM events WHERE project_id = {project:Int64} ORDER BY uuid`,
      parameters: { project: journey.projectId },
    })
    expect(events).toEqual([
      {
        event: "$pageview",
        distinct_id: "user",
        person: derivePersonId(journey.projectId, "user"),
        person_mode: "full",
        company: "acme",
        session: "s",
        ip: "203.0.113.7",
        time: "2025-06-01 12:00:00.000000",
        browser: "Chrome",
      },
      expect.objectContaining({ event: "$groupidentify", person_mode: "propertyless" }),
    ])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.persons()).toMatchObject([{ properties: { email: "A@Example.com", $browser: "Chrome" } }])
    expect(await journey.count("person WHERE project_id = $1 AND email = 'a@example.com'")).toBe(1)
    expect(await journey.count("ingest_log WHERE project_id = $1")).toBe(0)
    expect(await journey.count("ingest_slice WHERE shard = $1 % 4")).toBe(0)
    expect(await journey.count("property_definition WHERE project_id = $1 AND kind = 'group' AND name = 'name'")).toBe(
      1,
    )
  })

  test("tells of persons before it shows their events, those it knew and new ones in one insert", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("$set", "known", { properties: { $set: { a: 1 } } }))
    await journey.work()
    await journey.append(sent("$set", "known", { properties: { $set: { a: 2 } } }), sent("$set", "new"))
    const tables: string[] = []
    const clickHouse = withInsert((given, pass) => {
      tables.push(given.table)
      return pass()
    })
    await journey.work({ clickHouse })
    expect(tables).toEqual(["persons", "person_distinct_ids", "events"])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
  })

  test("stores an event once, sent again in one request, in another, or with another time", async () => {
    const journey = new Journey(stores)
    const once = sent("$pageview", "user")
    await journey.append(once, once)
    await journey.append({ ...once, timestamp: "2024-01-01T00:00:00.000Z" })
    expect(await journey.work()).toEqual({ stored: 1, dropped: 2 })
    await journey.append({ ...once, timestamp: "2023-01-01T00:00:00.000Z" }, sent("$pageview", "user"))
    expect(await journey.work()).toEqual({ stored: 1, dropped: 1 })
    expect(await journey.events()).toHaveLength(2)
  })

  test("is not taken for a repetition once its uuid is older than the window", async () => {
    const journey = new Journey(stores)
    const event = sent("$pageview", "user")
    await journey.append(event)
    await journey.work()
    const client = await stores.pool.connect()
    const DAY_MS = 86_400_000
    try {
      await forgetOldUuids(client, NOW_MS + 7 * DAY_MS)
      expect(await journey.count("event_uuid WHERE project_id = $1")).toBe(1)
      expect(await forgetOldUuids(client, NOW_MS + 9 * DAY_MS)).toBe(false)
      expect(await journey.count("event_uuid WHERE project_id = $1")).toBe(0)
    } finally {
      client.release()
    }
    await journey.append(event)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
  })

  test("stores the same uuid of two projects twice", async () => {
    const [one, other] = [new Journey(stores), new Journey(stores)]
    const event = sent("$pageview", "user")
    for (const journey of [one, other]) {
      await journey.append(event)
      expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
    }
  })

  test("may reach over more months than the engine takes in one insert", async () => {
    const journey = new Journey(stores)
    const months = Array.from({ length: 120 }, (_, month) => new Date(Date.UTC(2000, month, 15)).toISOString())
    await journey.append(...months.map((timestamp) => sent("old", "user", { timestamp })))
    expect(await journey.work()).toEqual({ stored: 120, dropped: 0 })
    expect(await journey.events()).toHaveLength(120)
  })

  test("holds times that no column holds at the column's bounds", async () => {
    const journey = new Journey(stores)
    await journey.append(
      sent("first", "user", { timestamp: "0001-01-01T00:00:00.000Z", clientTimestamp: "9999-12-31T23:59:59.999Z" }),
    )
    await journey.work()
    const [row] = await stores.clickHouse.rows({
      sql: "SELECT toYear(timestamp) AS y, toYear(client_timestamp) AS c FROM events WHERE project_id = {project:Int64}",
      parameters: { project: journey.projectId },
    })
    expect(row).toEqual({ y: 1900, c: 2262 })
  })
})

describe("a merge in a batch", () => {
  test("gives earlier and later events of both ids one person", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("before", "anon"), sent("before", "user"))
    await journey.work()
    await journey.append(
      sent("$identify", "user", { properties: { $anon_distinct_id: "anon", $set: { plan: "pro" } } }),
    )
    await journey.work()
    await journey.append(sent("late", "anon"), sent("late", "anon", { properties: { $process_person_profile: false } }))
    await journey.work()
    const user = derivePersonId(journey.projectId, "user")
    expect((await journey.events()).map(({ person }) => person)).toEqual(Array(5).fill(user))
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.persons()).toMatchObject([{ id: user, is_identified: true, properties: { plan: "pro" } }])
  })

  test("is told to whoever keeps something by person, in the same transaction", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("before", "anon"), sent("before", "user"))
    await journey.work()
    await journey.append(sent("$identify", "user", { properties: { $anon_distinct_id: "anon" } }))
    const [sourceId, targetId] = [derivePersonId(journey.projectId, "anon"), derivePersonId(journey.projectId, "user")]
    const told: unknown[] = []
    await journey.work({
      mergeListeners: [
        async (client, merges) => {
          const { rows } = await client.query("SELECT is_deleted FROM person WHERE id = $1", [merges[0]?.sourceId])
          told.push(merges, rows)
        },
      ],
    })
    expect(told).toEqual([[{ projectId: journey.projectId, sourceId, targetId }], [{ is_deleted: true }]])
  })

  test("never shows an event without a living person, whichever inserts are done", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("before", "anon"), sent("before", "user"))
    await journey.work()
    await journey.append(
      sent("first", "new"),
      sent("$identify", "user", { properties: { $anon_distinct_id: "anon" } }),
      sent("$merge_dangerously", "new", { properties: { alias: "user" } }),
    )
    const orphans: number[] = []
    const clickHouse = withInsert(async (_given, pass) => {
      await pass()
      const living = new Set((await journey.persons()).map(({ id }) => id))
      orphans.push((await journey.events()).filter(({ person }) => !living.has(person)).length)
    })
    await journey.work({ clickHouse })
    expect(orphans).toEqual(orphans.map(() => 0))
    expect(new Set((await journey.events()).map(({ person }) => person)).size).toBe(1)
  })
})

describe("requests that share a row of the log", () => {
  test("are worked on one after the other, each with its own facts", async () => {
    const journey = new Journey(stores)
    const set = (plan: string, uuid = nextUuid()) =>
      sent("$set", "user", { uuid, properties: { $set: { plan }, $set_once: { first: plan } } })
    const repeated = nextUuid()
    await journey.appendRow(
      ...[[set("free")], [set("team"), set("late", repeated)], [set("again", repeated), set("last")]].map((events) => ({
        eventsJson: JSON.stringify(events),
        eventCount: events.length,
      })),
    )
    expect(await journey.work()).toEqual({ stored: 4, dropped: 1 })
    expect(await journey.storedPersons()).toMatchObject([{ properties: { plan: "last", first: "free" } }])
    expect(await journey.persons()).toEqual(await journey.storedPersons())
  })
})

describe("a crash while a batch is worked on", () => {
  const request = (): SentEvent[] => [
    sent("$pageview", "anon", { properties: { $set: { a: 1 } } }),
    sent("$pageview", "user", { timestamp: "2025-05-01T00:00:00.000Z" }),
    sent("$identify", "user", { properties: { $anon_distinct_id: "anon", $set: { b: 2 } } }),
    sent("$groupidentify", "user", { properties: { $group_type: "t", $group_key: "k", $group_set: { c: 3 } } }),
  ]

  async function expectExactlyOnce(journey: Journey, events: readonly SentEvent[]): Promise<void> {
    expect((await journey.events()).map(({ uuid }) => uuid)).toEqual(events.map(({ uuid }) => uuid).sort())
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.storedPersons()).toMatchObject([{ properties: { a: 1, b: 2 }, version: 1 }])
    expect(await journey.count("group_entry WHERE project_id = $1 AND version = 1")).toBe(1)
    expect(await journey.count("event_uuid WHERE project_id = $1")).toBe(4)
    expect(await journey.count("ingest_log WHERE project_id = $1")).toBe(0)
  }

  const insertsOfBatch = 6
  const cases = Array.from({ length: insertsOfBatch }, (_, index) => index + 1).flatMap((nth) => [
    { nth, moment: "before" as const },
    { nth, moment: "after" as const },
  ])
  test.each(cases)(
    "$moment ClickHouse insert number $nth stores each event once in the end",
    async ({ nth, moment }) => {
      const journey = new Journey(stores)
      const events = request()
      await journey.append(...events)
      let inserts = 0
      const clickHouse = withInsert(async (_given, pass) => {
        inserts += 1
        if (inserts === nth && moment === "before") throw new Crash()
        await pass()
        if (inserts === nth) throw new Crash()
      })
      await expect(journey.work({ clickHouse })).rejects.toThrow()
      // More arrives before the replay: the batch must stay what it was.
      const later = sent("later", "user")
      await journey.append(later)
      expect(await journey.work()).toEqual({ stored: 4, dropped: 0 })
      expect(await journey.work()).toEqual({ stored: 1, dropped: 0 })
      expect((await journey.events()).map(({ uuid }) => uuid)).toEqual(
        [...events, later].map(({ uuid }) => uuid).sort(),
      )
      expect(await journey.storedPersons()).toMatchObject([{ properties: { a: 1, b: 2 }, version: 1 }])
    },
  )

  const steps = [
    "listRows",
    "readRequests",
    "insertUuids",
    "saveDefinitions",
    "notifyMerged",
    "saveDeadLetters",
    "saveWarnings",
    "removeRows",
    "finish",
  ] as const
  test.each(steps)("after the step %s stores each event once in the end", async (step) => {
    const journey = new Journey(stores)
    const events = request()
    await journey.append(...events)
    const wrap = withTransaction((transaction) => ({
      [step]: async (...given: never[]) => {
        await (transaction[step] as (...given: never[]) => Promise<unknown>)(...given)
        throw new Crash()
      },
    }))
    await expect(journey.work({ wrap })).rejects.toThrow()
    expect(await journey.work()).toEqual({ stored: 4, dropped: 0 })
    await expectExactlyOnce(journey, events)
  })

  test("of the PostgreSQL connection between the ClickHouse inserts and the commit stores each event once in the end", async () => {
    const journey = new Journey(stores)
    const events = request()
    await journey.append(...events)
    await expect(
      journey.work({
        wrap: (log, client) =>
          withTransaction((transaction) => ({
            finish: async (...given) => {
              await transaction.finish(...given)
              const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
              await stores.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid])
            },
          }))(log),
      }),
    ).rejects.toMatchObject({ code: "store_unavailable" })
    await journey.work()
    await expectExactlyOnce(journey, events)
  })

  test("before the batch is written down loses nothing", async () => {
    const journey = new Journey(stores)
    const events = request()
    await journey.append(...events)
    const wrap = (log: BatchLog): BatchLog => ({ ...log, claim: () => Promise.reject(new Crash()) })
    await expect(journey.work({ wrap })).rejects.toThrow(Crash)
    await journey.work()
    await expectExactlyOnce(journey, events)
  })
})

describe("a poison event", () => {
  const refusing = (isPoison: (row: string) => boolean): ClickHouse =>
    withInsert((given, pass) =>
      ("rows" in given ? given.rows.map(String) : given.blocks.flatMap((block) => String(block).split("\n"))).some(
        isPoison,
      )
        ? Promise.reject(new EngineError(6, "CANNOT_PARSE_TEXT", "cannot parse a row"))
        : pass(),
    )

  test("that the engine refuses goes to the dead letters alone, also when the batch is replayed", async () => {
    const journey = new Journey(stores)
    const events = Array.from({ length: 20 }, (_, index) => sent(index === 13 ? "poison" : "fine", "user"))
    await journey.append(...events)
    const clickHouse = refusing((row) => row.includes("\tpoison\t"))
    const wrap = withTransaction(() => ({ finish: () => Promise.reject(new Crash()) }))
    await expect(journey.work({ clickHouse, wrap })).rejects.toThrow()
    expect(await journey.work({ clickHouse })).toEqual({ stored: 19, dropped: 1 })
    expect(await journey.events()).toHaveLength(19)
    const letters = await stores.pool.query("SELECT event, reason FROM ingest_dead_letter WHERE project_id = $1", [
      journey.projectId,
    ])
    expect(letters.rows).toEqual([{ event: expect.stringContaining("poison"), reason: "cannot parse a row" }])
    expect(
      await journey.count("ingestion_warning WHERE project_id = $1 AND reason = 'event_could_not_be_stored'"),
    ).toBe(1)
  })

  test("that PostgreSQL refuses leaves no trace in persons, and the others are stored", async () => {
    const journey = new Journey(stores)
    await journey.append(
      sent("$set", "user", { properties: { $set: { a: 1 } } }),
      // Capture would have replaced NUL; here it stands for any value that PostgreSQL does not take.
      sent("$set", "user", { properties: { $set: { b: "\u0000" } } }),
      sent("$set", "user", { properties: { $set: { c: 3 } } }),
    )
    expect(await journey.work()).toEqual({ stored: 2, dropped: 1 })
    const [person] = await journey.storedPersons()
    expect(person?.properties).toMatchObject({ a: 1, c: 3 })
    expect(person?.properties).not.toHaveProperty("b")
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(1)
  })

  test("in the middle of several parts costs nobody what the parts before it have changed", async () => {
    const journey = new Journey(stores)
    // Each request is a part of its own.
    const filler = sent("filler", "filler", {
      properties: { text: "x".repeat(8 * 1024 * 1024), $process_person_profile: false },
    })
    const part = async (...events: SentEvent[]) => {
      await journey.append(...events, { ...filler, uuid: nextUuid() })
    }
    const set = (properties: JsonObject) => sent("$set", "user", { properties: { $set: properties } })
    await part(set({ a: 1 }))
    await part(set({ b: 2 }))
    await part(set({ c: 3 }), set({ poison: "\u0000" }), set({ d: 4 }))
    await part(set({ e: 5 }))
    await part(set({ f: 6 }))
    expect(await journey.work()).toEqual({ stored: 11, dropped: 1 })
    const [person] = await journey.storedPersons()
    expect(person).toMatchObject({ properties: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, version: 5 })
    expect(person?.properties).not.toHaveProperty("poison")
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    const names = "property_definition WHERE project_id = $1 AND kind = 'person' AND name = ANY ('{a,b,c,d,e,f}')"
    expect(await journey.count(names)).toBe(6)
  })

  test("does not make events of later parts look as if they were stored before", async () => {
    const journey = new Journey(stores)
    const known = sent("known", "user")
    await journey.append(known)
    await journey.work()
    // Each request is a part of its own.
    const text = "x".repeat(8 * 1024 * 1024)
    const part = async (...events: SentEvent[]) => {
      await journey.append(
        ...events,
        sent("filler", "filler", { properties: { text, $process_person_profile: false } }),
      )
    }
    await part(sent("$set", "user", { properties: { $set: { poison: "\u0000" } } }))
    await part(sent("second", "user"))
    await journey.append(known, sent("third", "user"))
    expect(await journey.work()).toEqual({ stored: 4, dropped: 2 })
    const names = (await journey.events()).map(({ event }) => event)
    expect(names.sort()).toEqual(["filler", "filler", "known", "second", "third"])
  })

  test("that is no event, in a request that is no list, does not hold up the shard", async () => {
    const journey = new Journey(stores)
    await journey.appendText("{", 1)
    await journey.appendText(`[null, {"uuid": "${nextUuid()}"}, ${JSON.stringify(sent("fine", "user"))}]`, 3)
    expect(await journey.work()).toMatchObject({ stored: 1 })
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(3)
  })

  test("that no request can be made of, in a damaged row, does not hold up the shard", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("before", "user"))
    await stores.pool.query(
      `INSERT INTO ingest_log (project_id, received_at, event_count, byte_count, requests)
       SELECT $1, now(), 1, 100, damaged FROM unnest($2::bytea[]) AS damaged`,
      [journey.projectId, [Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3), Buffer.from("[[1"), Buffer.alloc(0)]],
    )
    await journey.append(sent("after", "user"))
    expect(await journey.work()).toEqual({ stored: 2, dropped: 3 })
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1 AND event LIKE 'damaged:%'")).toBe(3)
  })

  test("that is too deep to be written out again is kept as it was sent, and the others are stored", async () => {
    const journey = new Journey(stores)
    // Capture refuses such nesting; a row may have been written by hand.
    const deep = `${"[".repeat(100_000)}"a \\"],["${"]".repeat(100_000)}`
    const group = { $group_type: "deep", $group_key: "a" }
    const letters = [
      JSON.stringify(sent("$groupidentify", "user", { properties: group })).replace('"deep"', deep),
      deep,
      JSON.stringify(sent("nested", "user", { properties: { nested: "deep" } })).replace('"deep"', deep),
    ]
    await journey.appendText(`[ ${[...letters, JSON.stringify(sent("fine", "user"))].join(" , ")} ]`, 4)
    expect(await journey.work()).toEqual({ stored: 1, dropped: 3 })
    expect((await journey.events()).map(({ event }) => event)).toEqual(["fine"])
    const kept = await stores.pool.query<{ event: string }>(
      "SELECT event FROM ingest_dead_letter WHERE project_id = $1",
      [journey.projectId],
    )
    expect(kept.rows.map(({ event }) => event).toSorted()).toEqual(letters.toSorted())
  })

  test("is not looked for while the store is only out of reach", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("fine", "user"), sent("fine", "user"))
    const unavailable = new AppError("store_unavailable")
    const clickHouse = withInsert(() => Promise.reject(unavailable))
    await expect(journey.work({ clickHouse })).rejects.toBe(unavailable)
    const outOfMemory = withInsert(() => Promise.reject(new EngineError(241, "MEMORY_LIMIT_EXCEEDED", "memory")))
    await expect(journey.work({ clickHouse: outOfMemory })).rejects.toMatchObject({ code: "store_unavailable" })
    expect(await journey.work()).toEqual({ stored: 2, dropped: 0 })
    expect(await journey.count("ingest_dead_letter WHERE project_id = $1")).toBe(0)
  })
})

describe("persons who are very large", () => {
  /** A store that stops loading once it has this much. */
  const loadingLittle =
    (maxLoadedCharacters: number) =>
    (log: BatchLog, client: PoolClient): BatchLog =>
      withTransaction(() => ({ persons: createPersonStore(client, maxLoadedCharacters) }))(log)

  test("are worked on some at a time, with what comes out otherwise", async () => {
    const [small, whole] = [new Journey(stores), new Journey(stores)]
    const requests = (): SentEvent[][] => {
      const set = (index: number, properties: JsonObject) => sent("$set", `user ${index}`, { properties })
      const group = (index: number, some: JsonObject) =>
        sent("$groupidentify", "user 0", {
          properties: { $group_type: "company", $group_key: `${index}`, $group_set: some },
        })
      const all = Array.from({ length: 350 }, (_, index) => index)
      return [
        [
          ...all.map((index) => set(index, { $set: { first: "x".repeat(500) } })),
          ...all.map((i) => group(i, { a: i })),
        ],
        [
          ...all.map((index) => set(index, { $set: { second: index }, $set_once: { first: "never" } })),
          sent("$identify", "user 3", { properties: { $anon_distinct_id: "user 340" } }),
          sent("$merge_dangerously", "user 200", { properties: { alias: "user 7" } }),
          sent("late", "user 340"),
          ...all.map((i) => group(i, { b: i })),
          set(340, { $unset: ["first"] }),
        ],
      ]
    }
    for (const [journey, wrap] of [
      [whole, (log: BatchLog) => log],
      [small, loadingLittle(10_000)],
    ] as const)
      for (const request of requests()) {
        await journey.append(...request)
        expect(await journey.work({ wrap })).toEqual({ stored: request.length, dropped: 0 })
      }
    const comparable = async (journey: Journey) => {
      const persons = await journey.storedPersons()
      const owners = await stores.pool.query<{ distinct_id: string; person_id: string }>(
        "SELECT distinct_id, person_id FROM person_distinct_id WHERE project_id = $1 ORDER BY distinct_id",
        [journey.projectId],
      )
      const groups = await stores.pool.query(
        "SELECT group_key, properties, version::int FROM group_entry WHERE project_id = $1 ORDER BY group_key",
        [journey.projectId],
      )
      const byId = new Map(persons.map((person) => [person.id, person]))
      return {
        groups: groups.rows,
        owners: owners.rows.map(({ distinct_id, person_id }) => {
          const { properties, version, is_identified } = byId.get(person_id) ?? {}
          const { $creator_event_uuid: _, ...rest } = properties ?? {}
          return { distinct_id, properties: rest, version, is_identified }
        }),
      }
    }
    expect(await comparable(small)).toEqual(await comparable(whole))
    expect(await small.persons()).toEqual(await small.storedPersons())
  })

  test("have their events stored some at a time, each once, also when that is cut short", async () => {
    const journey = new Journey(stores)
    await journey.append(sent("$set", "large", { properties: { $set: { text: "x".repeat(10_000) } } }))
    await journey.work()
    const events = Array.from({ length: 40 }, (_, index) => sent(`event ${index}`, "large"))
    await journey.append(...events)
    await journey.append(sent("$set", "large", { properties: { $set: { text: "short" } } }))
    const sizes: number[] = []
    const watching = (died: number) =>
      withInsert(async (given, pass) => {
        if (given.table !== "events" || !("blocks" in given)) return pass()
        if (sizes.length === died) throw new Crash()
        sizes.push(given.blocks.reduce((sum, { length }) => sum + length, 0))
        await pass()
      })
    await expect(journey.work({ clickHouse: watching(3), maxRowBytes: 40_000 })).rejects.toMatchObject({
      cause: expect.any(Crash),
    })
    expect(await journey.work({ clickHouse: watching(-1), maxRowBytes: 40_000 })).toEqual({ stored: 41, dropped: 0 })
    expect(sizes.length).toBeGreaterThan(10)
    expect(Math.max(...sizes)).toBeLessThan(60_000)
    const stored = (await journey.events()).map(({ event }) => event)
    expect(stored).toHaveLength(42)
    expect(new Set(stored)).toEqual(new Set(["$set", ...events.map(({ event }) => event)]))
    expect(await journey.persons()).toEqual(await journey.storedPersons())
    expect(await journey.persons()).toMatchObject([{ properties: { text: "short" } }])
  })

  test("are copied into their events in part, the smallest properties first, and are stored whole", async () => {
    const journey = new Journey(stores)
    const large = { first: "x".repeat(300_000), plan: "pro", second: "y".repeat(17_000), email: "a@example.com" }
    await journey.append(sent("$set", "large", { properties: { $set: large } }), sent("small event", "large"))
    expect(await journey.work()).toEqual({ stored: 2, dropped: 0 })
    const copies = await stores.clickHouse.rows<{ copy: string }>({
      sql: "SELECT person_properties AS copy FROM events WHERE project_id = {project:Int64}",
      parameters: { project: journey.projectId },
    })
    for (const { copy } of copies)
      expect(JSON.parse(copy)).toEqual({
        plan: "pro",
        email: "a@example.com",
        $creator_event_uuid: expect.any(String),
      })
    expect(copies).toHaveLength(2)
    expect(await journey.persons()).toMatchObject([{ properties: large }])
  })
})
