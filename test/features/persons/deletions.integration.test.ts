import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { derivePersonId } from "../../../src/features/persons/index.js"
import type { KeptAnswers } from "../../../src/features/persons/persons.types.js"
import { forgetAnswers, forgetRuns, listExecutingRuns } from "../../../src/features/queries/index.js"
import { createSessionRollup } from "../../../src/features/sessions/session-rollup.store.js"
import type { ClickHouse, Insert, Statement } from "../../../src/platform/clickhouse/click-house.js"
import { toParameterText } from "../../../src/platform/clickhouse/parameter-text.js"
import { Journey, sent } from "../ingestion/batches/journey.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"
import { readSessions } from "../sessions/recount.js"
import { createTestPersons, later, PERSONS_ALONE, WITH_EVENTS } from "./persons-app.js"

const MAX_PIECE = 64 * 1024

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

const set = (distinctId: string, properties: Record<string, string | number>) =>
  sent("$set", distinctId, { properties: { $set: properties } })

async function journeyOf(...distinctIds: string[]): Promise<Journey> {
  const journey = new Journey(stores)
  await journey.append(...distinctIds.map((id) => set(id, { name: id })))
  await journey.work()
  return journey
}

/** The engine, and everything that it is told. */
function overheard() {
  const statements: Statement[] = []
  const inserts: Insert[] = []
  const { clickHouse: engine } = stores
  const clickHouse = Object.assign(Object.create(engine) as ClickHouse, {
    rows: (statement: Statement) => {
      statements.push(statement)
      return engine.rows(statement)
    },
    command: (statement: Statement) => {
      statements.push(statement)
      return engine.command(statement)
    },
    insert: (insert: Insert) => {
      inserts.push(insert)
      return engine.insert(insert)
    },
  })
  return { clickHouse, statements, inserts }
}

const countIn = async (table: string, { projectId }: Journey): Promise<number> => {
  const sql = `SELECT count() AS n FROM ${table} WHERE project_id = {project:Int64}`
  const [row] = await stores.clickHouse.rows<{ n: number }>({ sql, parameters: { project: projectId } })
  return Number(row?.n)
}

const pending = (journey: Journey): Promise<number> => journey.count("person_deletion WHERE project_id = $1")

/** Applies what is pending, again while the engine is not done: what that takes depends on the machine. */
async function applyAll(journey: Journey): Promise<void> {
  const { copies } = later(stores)
  for (let turn = 0; turn < 30; turn++) {
    await copies.applyPending()
    if ((await pending(journey)) === 0) return
    await stores.pool.query("UPDATE person_deletion SET due_at = requested_at")
  }
}

describe("a deletion", () => {
  test("of many long ids sends them as rows of bounded pieces, and in no text or parameter", async () => {
    const ids = Array.from({ length: 900 }, (_, index) => `long-${index}-`.padEnd(200, "é"))
    const journey = await journeyOf(...ids)
    const { clickHouse, statements, inserts } = overheard()
    const { changes } = createTestPersons(stores, { clickHouse })
    expect(await changes.deleteMany(journey.projectId, { distinctIds: ids }, WITH_EVENTS)).toBe(900)
    await later(stores, { clickHouse }).copies.applyPending()
    expect(await pending(journey)).toBe(0)
    expect(await countIn("events", journey)).toBe(0)
    const parameters = statements.flatMap((statement) => Object.values(statement.parameters ?? {}).map(toParameterText))
    expect([...statements.map(({ sql }) => sql), ...parameters].filter((text) => text.includes("long-"))).toEqual([])
    expect(Math.max(...parameters.map(({ length }) => length))).toBeLessThan(MAX_PIECE)
    const pieces = inserts.flatMap((insert) =>
      insert.table === "person_deletion_ids" && "rows" in insert ? [insert.rows as readonly { id: string }[]] : [],
    )
    expect(pieces.flat().filter(({ id }) => id.startsWith("long-"))).toHaveLength(900)
    for (const piece of pieces) expect(piece.reduce((length, { id }) => length + id.length, 0)).toBeLessThan(MAX_PIECE)
  })

  test("leaves nothing in ClickHouse once it is done, and hashes in PostgreSQL", async () => {
    const journey = await journeyOf("anon", "stays")
    await journey.append(sent("$identify", "gone", { properties: { $anon_distinct_id: "anon" } }))
    await journey.work()
    await createTestPersons(stores).changes.delete(
      journey.projectId,
      derivePersonId(journey.projectId, "anon"),
      WITH_EVENTS,
    )
    await applyAll(journey)
    expect(await pending(journey)).toBe(0)
    expect(await countIn("persons", journey)).toBe(1)
    expect(await countIn("person_distinct_ids", journey)).toBe(1)
    expect(await countIn("person_distinct_id_overrides", journey)).toBe(0)
    expect(await journey.count("person WHERE project_id = $1")).toBe(1)
    expect(await journey.count("person_distinct_id WHERE project_id = $1")).toBe(1)
    expect(await journey.count("person_tombstone WHERE project_id = $1 AND octet_length(hash) = 32")).toBe(3)
    const { rows } = await stores.clickHouse.query({ sql: "SELECT count() FROM person_deletion_ids" })
    expect(rows.flat().map(Number)).toEqual([0])
  })

  test("makes sessions anew of what others did in them, and leaves none that were theirs alone", async () => {
    const journey = await journeyOf("gone", "stays")
    const { projectId } = journey
    const [shared, own] = ["0199a000-0000-7000-8000-00000000005a", "0199a000-0000-7000-8000-00000000005b"]
    const view = (distinctId: string, session: string, path: string) =>
      sent("$pageview", distinctId, { properties: { $session_id: session, $current_url: `https://a.example${path}` } })
    await journey.append(view("gone", shared, "/gone"), view("stays", shared, "/stays"), view("gone", own, "/own"))
    await journey.work()
    const { rolledUp: before } = await readSessions(stores.clickHouse)
    expect(before.filter(([project]) => project === Number(projectId)).map(([, id]) => id)).toEqual([shared, own])

    await createTestPersons(stores).changes.delete(projectId, derivePersonId(projectId, "gone"), WITH_EVENTS)
    await applyAll(journey)
    expect(await pending(journey)).toBe(0)
    const { rolledUp, recounted } = await readSessions(stores.clickHouse)
    expect(rolledUp).toEqual(recounted)
    expect(rolledUp.filter(([project]) => project === Number(projectId)).map(([, id]) => id)).toEqual([shared])
    expect(JSON.stringify(rolledUp)).not.toContain("gone")
    const { rows } = await stores.clickHouse.query({ sql: "SELECT toString(tuple(*)) FROM session_rollup" })
    expect(JSON.stringify(rows)).not.toContain("/gone")
  })

  test("waits until the sessions of events from before the roll-up are in it", async () => {
    const journey = await journeyOf("early")
    const { projectId } = journey
    const rollup = createSessionRollup(stores.clickHouse)
    const sessions = { ...rollup, isFilled: async () => false }
    await createTestPersons(stores, { sessions }).changes.delete(
      projectId,
      derivePersonId(projectId, "early"),
      WITH_EVENTS,
    )
    await later(stores, { sessions }).copies.applyPending()
    expect(await pending(journey)).toBe(1)
    await stores.pool.query("UPDATE person_deletion SET due_at = requested_at")
    await applyAll(journey)
    expect(await pending(journey)).toBe(0)
  })

  test("that is done lets its ids come back with higher versions, again and again", async () => {
    const journey = await journeyOf("back")
    const { projectId } = journey
    const versions: number[] = []
    for (const round of [1, 2, 3]) {
      await createTestPersons(stores).changes.delete(projectId, derivePersonId(projectId, "back"), WITH_EVENTS)
      await applyAll(journey)
      expect(await pending(journey)).toBe(0)
      await journey.append(set("back", { round }))
      await journey.work()
      expect(await journey.persons()).toMatchObject([{ properties: { round } }])
      expect(await journey.persons()).toEqual(await journey.storedPersons())
      const { rows } = await stores.pool.query(
        "SELECT person.version::int AS person, owner.version::int AS owner FROM person JOIN person_distinct_id AS owner ON person_id = id WHERE person.project_id = $1",
        [projectId],
      )
      versions.push(rows[0].person, rows[0].owner)
    }
    const [persons, owners] = [versions.filter((_, i) => i % 2 === 0), versions.filter((_, i) => i % 2 === 1)]
    for (const list of [persons, owners]) expect(list).toEqual([...new Set(list)].sort((a, b) => a - b))
  })

  test("without events lets the events of an id that comes back be those of the new person", async () => {
    const journey = await journeyOf("anon")
    const { projectId } = journey
    await journey.append(
      sent("$identify", "main", { properties: { $anon_distinct_id: "anon" } }),
      sent("bought", "main"),
    )
    await journey.work()
    await createTestPersons(stores).changes.delete(projectId, derivePersonId(projectId, "anon"), PERSONS_ALONE)
    await applyAll(journey)
    expect(await pending(journey)).toBe(0)
    await journey.append(set("main", { fresh: 1 }))
    await journey.work()
    const fresh = derivePersonId(projectId, "main")
    expect(await journey.persons()).toMatchObject([{ id: fresh, properties: { fresh: 1 } }])
    const bought = (await journey.events()).filter(({ event }) => event === "bought")
    expect(bought.map(({ person }) => person)).toEqual([fresh])
  })

  test("is not done before the runs are over that may have read the persons, and answers are no longer kept", async () => {
    const journey = await journeyOf("gone")
    const { projectId } = journey
    const organization = "00000000-0000-4000-8000-000000000001"
    await stores.pool.query("INSERT INTO organization (id, name, created_at) VALUES ($1, 'o', now())", [organization])
    await stores.pool.query(
      "INSERT INTO project (id, uuid, organization_id, name, created_at) VALUES ($1, gen_random_uuid(), $2, 'p', now())",
      [projectId, organization],
    )
    let isCacheAway = true
    const answers: KeptAnswers = {
      forget: forgetAnswers,
      listExecutingRuns,
      forgetRuns,
      delete: async () => !isCacheAway,
    }
    const run = (id: string, state: string) =>
      stores.pool.query(
        `INSERT INTO query_run (project_id, id, state, request, cache_key, engine_query_id, queued_at, expires_at, answer)
         VALUES ($1, $2::text, $3, '{}', 'k', $2::text, now(), now() + interval '1 hour', '{"name": "gone"}')`,
        [projectId, id, state],
      )
    const runs = async () =>
      (await stores.pool.query("SELECT id FROM query_run WHERE project_id = $1 ORDER BY id", [projectId])).rows
    await run("before", "complete")
    await run("meanwhile", "running")
    await createTestPersons(stores, { answers }).changes.delete(
      projectId,
      derivePersonId(projectId, "gone"),
      WITH_EVENTS,
    )
    expect(await runs()).toEqual([{ id: "meanwhile" }])
    await later(stores, { answers }).copies.applyPending()
    expect(await pending(journey)).toBe(1)

    await stores.pool.query("UPDATE query_run SET state = 'complete' WHERE project_id = $1", [projectId])
    await run("after", "complete")
    const lookAt = (time: string) =>
      later(stores, { answers, clock: { now: () => Date.parse(time) } }).copies.applyPending()
    await lookAt("2025-06-02T00:00:00Z")
    expect(await pending(journey)).toBe(1)
    isCacheAway = false
    await lookAt("2025-06-03T00:00:00Z")
    expect(await pending(journey)).toBe(0)
    expect(await runs()).toEqual([{ id: "after" }])
    const { rows } = await stores.pool.query("SELECT generation::int FROM query_generation WHERE project_id = $1", [
      projectId,
    ])
    expect(rows).toEqual([{ generation: 2 }])
  })

  test("that another process has finished leaves no ids behind", async () => {
    await stores.clickHouse.insert({
      table: "person_deletion_ids",
      rows: [{ deletion: 999_999, kind: "person", id: "left", version: 1 }],
    })
    await createTestPersons(stores).copies.applyPending()
    const sql = "SELECT count() AS n FROM person_deletion_ids WHERE deletion = 999999"
    expect((await stores.clickHouse.rows<{ n: number }>({ sql })).map(({ n }) => Number(n))).toEqual([0])
  })
})
