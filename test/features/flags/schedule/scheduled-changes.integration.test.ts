import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { EVERYBODY, NOBODY } from "../decide/decide-harness.js"
import { CREATE, type FlagsApp, startFlagsApp, UPDATE } from "../flags-app.js"

const HOUR_MS = 3_600_000
const PLAN = `mutation ($id: ID!, $input: FeatureFlagScheduledChangeInput!) {
  plan: createFeatureFlagScheduledChange(id: $id, input: $input) { id changes dueAt } }`
const LIST = `query ($id: ID!) {
  plans: featureFlagScheduledChanges(id: $id) { nodes { id dueAt lastMadeAt failure recurrence } } }`
const REMOVE = "mutation ($id: ID!) { isRemoved: deleteFeatureFlagScheduledChange(id: $id) }"
const STATE = `query ($id: ID!) { flag: featureFlag(id: $id) { active version }
  log: featureFlagActivity(id: $id) { nodes { activity } } }`

describe("a planned change of a flag", () => {
  let app: FlagsApp
  beforeAll(async () => {
    app = await startFlagsApp()
  })
  afterAll(() => app.stop())

  let made = 0
  const create = async (input: JsonObject = {}): Promise<string> =>
    String((await app.run(CREATE, { input: { key: `planned-${++made}`, filters: EVERYBODY, ...input } })).flag.id)
  const inAnHour = (): string => new Date(app.clock.now() + HOUR_MS).toISOString()
  const plan = async (id: string, change: JsonObject, when: JsonObject = {}): Promise<JsonObject> =>
    (await app.ask(PLAN, { id, input: { at: inAnHour(), change, ...when } })).plan as JsonObject
  const plans = async (id: string): Promise<JsonObject[]> =>
    ((await app.ask(LIST, { id })).plans as { nodes: JsonObject[] }).nodes
  const makeDueEverywhere = () => Promise.all(app.processes().map(({ dueChanges }) => dueChanges.makeDue()))

  test("is made at its time, once by however many processes look, and logged as made by plan", async () => {
    const id = await create()
    const { changes } = await plan(id, { active: false })
    expect(changes).toEqual([{ field: "active", action: "changed", before: true, after: false }])
    await makeDueEverywhere()
    expect((await app.ask(STATE, { id })).flag).toEqual({ active: true, version: 1 })

    app.clock.advance(HOUR_MS)
    await makeDueEverywhere()
    await makeDueEverywhere()
    const { flag, log } = await app.ask(STATE, { id })
    expect(flag).toEqual({ active: false, version: 2 })
    expect((log as { nodes: JsonObject[] }).nodes.map(({ activity }) => activity)).toEqual([
      "updated by plan",
      "change planned",
      "created",
    ])
    expect(await plans(id)).toMatchObject([{ dueAt: null, failure: null, lastMadeAt: expect.any(String) }])
  })

  test("is made again and again until it is removed", async () => {
    const id = await create()
    const at = inAnHour()
    await plan(id, { active: false }, { recurrence: "DAILY" })
    app.clock.advance(3 * 24 * HOUR_MS)
    await makeDueEverywhere()
    const [waiting] = await plans(id)
    expect(waiting).toMatchObject({ dueAt: new Date(Date.parse(at) + 3 * 24 * HOUR_MS).toISOString() })
    await app.run(UPDATE, { id, input: { active: true } })
    app.clock.advance(24 * HOUR_MS)
    await makeDueEverywhere()
    expect((await app.ask(STATE, { id })).flag).toEqual({ active: false, version: 4 })
    await app.ask(REMOVE, { id: String(waiting?.id) })
    expect(await plans(id)).toEqual([])
    await expect(app.ask(REMOVE, { id: String(waiting?.id) })).rejects.toMatchObject({ code: "not_found" })
  })

  test("says why it could not be made: the flag is gone, or is needed by then", async () => {
    const [deleted, needed] = [await create(), await create()]
    await plan(deleted, { filters: NOBODY })
    await plan(needed, { active: false })
    await app.run(UPDATE, { id: deleted, input: { deleted: true } })
    const dependency = { type: "flag", key: needed, operator: "flag_evaluates_to", value: true }
    await create({ filters: { groups: [{ properties: [dependency] }] } })
    app.clock.advance(HOUR_MS)
    await makeDueEverywhere()
    expect(await plans(needed)).toMatchObject([{ dueAt: null, failure: expect.stringContaining("depend on this one") }])
    await app.run(UPDATE, { id: deleted, input: { deleted: false } })
    expect(await plans(deleted)).toMatchObject([{ dueAt: null, failure: "The flag is deleted." }])
  })

  test("is refused when it is past, changes nothing, deletes, or could not be made now", async () => {
    const id = await create()
    const refusals: readonly (readonly [JsonObject, JsonObject, Json])[] = [
      [{ active: false }, { at: "2020-01-01T00:00:00Z" }, "at"],
      [{ active: true }, {}, "change"],
      [{ deleted: true }, {}, "change__deleted"],
      [{ filters: { groups: [{ rollout_percentage: 101 }] } }, {}, "filters__groups__0__rollout_percentage"],
    ]
    for (const [change, when, attr] of refusals)
      await expect(plan(id, change, when)).rejects.toMatchObject({ details: { attr } })
    expect(await plans(id)).toEqual([])
  })

  test("may undo what is planned before it, so that a flag goes off and comes on again each day", async () => {
    const id = await create()
    await plan(id, { active: false }, { recurrence: "DAILY" })
    const on = { at: new Date(app.clock.now() + 2 * HOUR_MS).toISOString(), recurrence: "DAILY" }
    const { changes } = await plan(id, { active: true }, on)
    expect(changes).toEqual([{ field: "active", action: "changed", before: false, after: true }])
    const states: unknown[] = []
    for (const hours of [1, 1, 23, 1]) {
      app.clock.advance(hours * HOUR_MS)
      await makeDueEverywhere()
      states.push((await app.ask(STATE, { id })).flag)
    }
    expect(states).toMatchObject([{ active: false }, { active: true }, { active: false }, { active: true }])
  })

  test("keeps a secret payload secret until it is served", async () => {
    const payload = (text: string) => ({ groups: [{ rollout_percentage: 100 }], payloads: { true: text } })
    const secret = { isRemoteConfiguration: true, hasEncryptedPayloads: true, filters: payload('"old"') }
    const id = await create(secret)
    const planned = await plan(id, { filters: payload('"the new secret"') })
    expect(JSON.stringify(planned)).not.toContain("the new secret")
    const { rows } = await app.database.pool.query("SELECT * FROM flag_scheduled_change WHERE flag_id = $1", [id])
    expect(JSON.stringify(rows)).not.toContain("the new secret")
    app.clock.advance(HOUR_MS)
    await makeDueEverywhere()
    const { payload: served } = await app.ask("query ($id: String!) { payload: remoteConfigPayload(flag: $id) }", {
      id,
    })
    expect(served).toBe('"the new secret"')
  })
})
