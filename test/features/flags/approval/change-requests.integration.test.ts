import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { EVERYBODY, NOBODY } from "../decide/decide-harness.js"
import { CREATE, type FlagsApp, OTHER_USER_ID, startFlagsApp, UPDATE } from "../flags-app.js"

const LIST = `query ($flagId: ID!) { requests: featureFlagChangeRequests(flagId: $flagId) {
  nodes { id flagKey state changes comment } } }`
const APPROVE = 'mutation ($id: ID!) { request: approveFeatureFlagChange(id: $id, comment: "Looks good") { state } }'
const REJECT = 'mutation ($id: ID!) { request: rejectFeatureFlagChange(id: $id, comment: "Not now") { state } }'
const STATE = `query ($id: ID!) { flag: featureFlag(id: $id) { active version }
  log: featureFlagActivity(id: $id) { nodes { activity } } }`
const PLAN = `mutation ($id: ID!, $input: FeatureFlagScheduledChangeInput!) {
  plan: createFeatureFlagScheduledChange(id: $id, input: $input) { id } }`

describe("where changes of flags need a second person", () => {
  let app: FlagsApp
  beforeAll(async () => {
    app = await startFlagsApp()
  })
  afterAll(() => app.stop())
  beforeEach(() => {
    app.settings.feature_flag_approval = true
  })
  afterEach(() => {
    app.settings.feature_flag_approval = false
  })

  let made = 0
  const create = async (input: JsonObject = {}): Promise<string> =>
    String((await app.run(CREATE, { input: { key: `guarded-${++made}`, filters: EVERYBODY, ...input } })).flag.id)
  const requests = async (flagId: string): Promise<JsonObject[]> =>
    ((await app.ask(LIST, { flagId })).requests as { nodes: JsonObject[] }).nodes
  /** Asks for a change; the number of the request. */
  const askFor = async (id: string, input: JsonObject): Promise<string> => {
    await expect(app.run(UPDATE, { id, input })).rejects.toMatchObject({ code: "approval_required" })
    return String((await requests(id))[0]?.id)
  }
  const activeOf = async (id: string) => ((await app.ask(STATE, { id })).flag as JsonObject).active

  test("a change is asked for, and made once somebody else approves", async () => {
    const id = await create()
    const request = await askFor(id, { active: false })
    expect(await activeOf(id)).toBe(true)
    await expect(app.ask(APPROVE, { id: request })).rejects.toMatchObject({ code: "permission_denied" })
    expect(await activeOf(id)).toBe(true)
    await app.ask(APPROVE, { id: request }, OTHER_USER_ID)
    const { flag, log } = await app.ask(STATE, { id })
    expect(flag).toEqual({ active: false, version: 2 })
    expect((log as { nodes: JsonObject[] }).nodes.map(({ activity }) => activity).toSorted()).toEqual([
      "change approved",
      "change requested",
      "created",
      "updated on approval",
    ])
    expect(await requests(id)).toMatchObject([
      { state: "APPROVED", comment: "Looks good", changes: [{ field: "active", before: true, after: false }] },
    ])
    await expect(app.ask(APPROVE, { id: request }, OTHER_USER_ID)).rejects.toMatchObject({ code: "conflict" })
  })

  test("a deletion is a change too, and so is what restores it", async () => {
    const id = await create()
    await expect(
      app.ask("mutation ($id: ID!) { flag: deleteFeatureFlag(id: $id) { id } }", { id }),
    ).rejects.toMatchObject({
      code: "approval_required",
    })
    const [asked] = await requests(id)
    await app.ask(APPROVE, { id: String(asked?.id) }, OTHER_USER_ID)
    await expect(app.ask(STATE, { id })).rejects.toMatchObject({ code: "not_found" })
    expect(await requests(id)).toMatchObject([{ flagKey: `guarded-${made}` }])
    await app.ask(APPROVE, { id: await askFor(id, { deleted: false }) }, OTHER_USER_ID)
    expect(await activeOf(id)).toBe(true)
  })

  test("a rejected change is not made, whoever asked may withdraw it, and neither is decided twice", async () => {
    const id = await create()
    for (const user of [OTHER_USER_ID, undefined]) {
      const request = await askFor(id, { filters: NOBODY })
      expect((await app.ask(REJECT, { id: request }, user)).request).toEqual({ state: "REJECTED" })
      for (const decide of [APPROVE, REJECT])
        await expect(app.ask(decide, { id: request }, OTHER_USER_ID)).rejects.toMatchObject({ code: "conflict" })
    }
    expect((await app.ask(STATE, { id })).flag).toMatchObject({ version: 1 })
  })

  test("an approved change of a flag that was changed since is refused, and still waits", async () => {
    const id = await create()
    const [first, second] = [await askFor(id, { active: false }), await askFor(id, { filters: NOBODY })]
    await app.ask(APPROVE, { id: first }, OTHER_USER_ID)
    await expect(app.ask(APPROVE, { id: second }, OTHER_USER_ID)).rejects.toMatchObject({ code: "conflict" })
    expect(await requests(id)).toMatchObject([{ state: "WAITING" }, { state: "APPROVED" }])
  })

  test("two who approve at once make the change once", async () => {
    const id = await create()
    const request = await askFor(id, { active: false })
    const outcomes = await Promise.allSettled([1, 2].map(() => app.ask(APPROVE, { id: request }, OTHER_USER_ID)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect((await app.ask(STATE, { id })).flag).toEqual({ active: false, version: 2 })
  })

  test("what could not be made is refused at once, and no plan makes a change alone", async () => {
    app.settings.feature_flag_approval = false
    const id = await create()
    const at = new Date(app.clock.now() + 60_000).toISOString()
    await app.ask(PLAN, { id, input: { at, change: { active: false } } })
    app.settings.feature_flag_approval = true
    await expect(app.run(UPDATE, { id, input: { key: "no key" } })).rejects.toMatchObject({ code: "invalid_input" })
    await expect(app.run(UPDATE, { id, input: { active: false, version: 7 } })).rejects.toMatchObject({
      code: "conflict",
    })
    expect(await requests(id)).toEqual([])
    await expect(app.ask(PLAN, { id, input: { at, change: { active: false } } })).rejects.toMatchObject({
      code: "approval_required",
    })
    app.clock.advance(60_000)
    await app.feature.dueChanges.makeDue()
    expect(await activeOf(id)).toBe(true)
  })

  test("a secret payload that is asked for is kept and shown as secret", async () => {
    const payload = (text: string) => ({ groups: [{ rollout_percentage: 100 }], payloads: { true: text } })
    const id = await create({ isRemoteConfiguration: true, hasEncryptedPayloads: true, filters: payload('"old"') })
    const request = await askFor(id, { filters: payload('"the new secret"') })
    const { rows } = await app.database.pool.query("SELECT * FROM flag_change_request WHERE flag_id = $1", [id])
    expect(JSON.stringify([rows, await requests(id)])).not.toContain("the new secret")
    await app.ask(APPROVE, { id: request }, OTHER_USER_ID)
    const { payload: served } = await app.ask("query ($id: String!) { payload: remoteConfigPayload(flag: $id) }", {
      id,
    })
    expect(served).toBe('"the new secret"')
  })
})
