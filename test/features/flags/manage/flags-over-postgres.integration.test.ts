import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createPayloadSecrets } from "../../../../src/features/flags/manage/payload-secrets.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { isEncrypted } from "../../../../src/platform/encryption/text-cipher.js"
import { EVERYBODY, when } from "../decide/decide-harness.js"
import { CREATE, type FlagsApp, startFlagsApp, UPDATE } from "../flags-app.js"

const PERSON_ID = "00000000-0000-4000-8000-0000000000aa"

describe("flags over PostgreSQL", () => {
  let app: FlagsApp
  beforeAll(async () => {
    app = await startFlagsApp()
  })
  afterAll(() => app.stop())

  const create = async (key: string, filters: Json, more: JsonObject = {}) =>
    (await app.run(CREATE, { input: { key, filters, ...more } })).flag
  const flagsFor = async (caller: JsonObject) => (await app.decide(caller)).featureFlags as JsonObject

  test("stored persons, static cohorts and groups decide what the request does not bring", async () => {
    await app.database.pool.query(
      `INSERT INTO person VALUES (1, '${PERSON_ID}', '{"plan": "pro"}', null, true, false, '2024-01-01Z', 1);
       INSERT INTO person_distinct_id VALUES (1, 'known', '${PERSON_ID}', 0), (1, 'alias', '${PERSON_ID}', 0);
       INSERT INTO group_type VALUES (1, 0, 'company');
       INSERT INTO group_entry VALUES (1, 0, 'acme', '{"tier": "gold"}', now(), 1)`,
    )
    await app.feature.rulesChanged(asProjectId(1))
    const { cohort } = await app.run(
      `mutation { cohort: createCohort(isStatic: true, input: { name: "beta" }) { id } }`,
    )
    const { members } = await app.run(
      `mutation { members: addCohortMembers(id: ${cohort.id}, distinctIds: ["alias", "nobody"]) }`,
    )
    expect(members).toBe(1)
    const ids = ["nobody", PERSON_ID, "known", "00000000-0000-7000-8000-000000000000"]
    const { imported } = await app.run(
      `mutation ($ids: [String!]!) {
        imported: importCohortMembers(id: ${cohort.id}, ids: $ids) { memberCount unknownIds } }`,
      { ids },
    )
    expect(imported).toEqual({ memberCount: 1, unknownIds: [ids[0], ids[3]] })
    await create("by-plan", when("plan", "pro"))
    await create("by-age", when("created_at", "2025-01-01", { type: "person_metadata", operator: "is_date_before" }))
    await create("by-cohort", when("id", cohort.id, { type: "cohort", operator: "in" }))
    await create("by-group", {
      ...(when("tier", "gold", { type: "group", group_type_index: 0 }) as object),
      aggregation_group_type_index: 0,
    })
    const groups = { company: "acme" }
    expect(await flagsFor({ distinct_id: "known", groups })).toEqual({
      "by-plan": true,
      "by-age": true,
      "by-cohort": true,
      "by-group": true,
    })
    expect(await flagsFor({ distinct_id: "stranger" })).toEqual({
      "by-plan": false,
      "by-age": false,
      "by-cohort": false,
      "by-group": false,
    })
  })

  test("a changed cohort is decided at once", async () => {
    const leaf = (plan: string): JsonObject => ({
      properties: { type: "AND", values: [{ key: "plan", type: "person", value: plan }] },
    })
    const input = { name: "plans", filters: leaf("free") }
    const { cohort } = await app.run(`mutation ($input: CohortInput!) { cohort: createCohort(input: $input) { id } }`, {
      input,
    })
    await create("by-dynamic-cohort", when("id", cohort.id, { type: "cohort", operator: "in" }))
    expect(await flagsFor({ distinct_id: "known" })).toMatchObject({ "by-dynamic-cohort": false })
    await app.run(`mutation ($input: CohortInput!) { updateCohort(id: ${cohort.id}, input: $input) { id } }`, {
      input: { filters: leaf("pro") },
    })
    expect(await flagsFor({ distinct_id: "known" })).toMatchObject({ "by-dynamic-cohort": true })
  })

  test("experience continuity holds from the request that names both ids, before there is any person", async () => {
    const variants = Array.from({ length: 20 }, (_, index) => ({ key: `v${index}`, rollout_percentage: 5 }))
    await create("kept", { ...(EVERYBODY as object), multivariate: { variants } }, { ensureExperienceContinuity: true })
    const kept = async (caller: JsonObject) => (await flagsFor(caller)).kept
    const before = await kept({ distinct_id: "anonymous-1" })
    expect(await kept({ distinct_id: "me@x.test", $anon_distinct_id: "anonymous-1" })).toBe(before)
    expect(await kept({ distinct_id: "me@x.test" })).toBe(before)
    expect(await kept({ distinct_id: "me@x.test", $anon_distinct_id: "anonymous-2" })).toBe(before)
  })

  test("payloads are never stored readable when they are secret, and are refused where there is no key", async () => {
    const secret = { isRemoteConfiguration: true, hasEncryptedPayloads: true }
    const filters = { groups: [], payloads: { true: '"hush"' } }
    await create("secret", filters, secret)
    const { rows } = await app.database.pool.query("SELECT filters::text FROM feature_flag WHERE key = 'secret'")
    expect(rows[0]?.filters).toMatch(/encrypted:1:/)
    expect(rows[0]?.filters).not.toContain("hush")
    const stored = { filters: JSON.parse(rows[0]?.filters), hasEncryptedPayloads: true }
    const keyless = createPayloadSecrets(null, isEncrypted)
    expect(() => keyless.seal(asProjectId(1), filters)).toThrow("FLAG_PAYLOAD_KEYS")
    expect(() => keyless.open({ ...stored, projectId: asProjectId(1) })).toThrow("FLAG_PAYLOAD_KEYS")
    expect(keyless.open({ ...stored, projectId: asProjectId(1), filters })).toEqual(filters)
  })

  test("the audit log never has a payload that is or was secret, nor what became secret later", async () => {
    const remote = { isRemoteConfiguration: true }
    const payload = (text: string) => ({ groups: [], payloads: { true: JSON.stringify(text) } })
    const { id } = await create("turning", payload("born plain"), remote)
    const update = (input: JsonObject) => app.run(UPDATE, { id: String(id), input })
    const log = async () => {
      const { rows } = await app.database.pool.query(
        "SELECT changes::text AS changes FROM activity_log WHERE scope = 'FeatureFlag' AND item_id = $1 ORDER BY created_at",
        [String(id)],
      )
      return rows.map(({ changes }) => changes).join()
    }
    await update({ filters: payload("plain for now") })
    expect(await log()).toContain("plain for now")
    await update({ hasEncryptedPayloads: true })
    await update({ filters: payload("hushed") })
    await update({ hasEncryptedPayloads: false })
    expect(await log()).not.toMatch(/plain for now|hushed/)
    await update({ filters: payload("plain again") })
    expect(await log()).toContain("plain again")
  })

  test("a change committed by somebody who then crashed is found by the sweep", async () => {
    await app.database.pool.query(
      `INSERT INTO feature_flag (project_id, key, filters) VALUES (1, 'planted', '{"groups": [{"properties": []}]}'), (1, 'damaged', '"x"')`,
    )
    expect(await flagsFor({})).not.toHaveProperty("planted")
    await app.restart()
    const body = await app.decide({})
    expect(body.featureFlags).toHaveProperty("planted", true)
    expect(body.featureFlags).not.toHaveProperty("damaged")
    expect(body.errorsWhileComputingFlags).toBe(true)
    const { rows } = await app.database.pool.query("SELECT 1 FROM flag_rule_version WHERE version > published_version")
    expect(rows).toEqual([])
  })

  test("with PostgreSQL dead, before and after a restart, flags that need no stored fact are decided and the others fail", async () => {
    await flagsFor({})
    await app.server.stop()
    const expectPartial = async () => {
      const body = await app.decide({ distinct_id: "known", person_properties: { other: 1 } })
      expect(body.featureFlags).toHaveProperty("planted", true)
      expect(body.featureFlags).not.toHaveProperty("by-plan")
      expect(body.errorsWhileComputingFlags).toBe(true)
      expect(await flagsFor({ person_properties: { plan: "pro" } })).toHaveProperty("by-plan", true)
    }
    await expectPartial()
    await app.restart()
    await expectPartial()
    await expect(app.run(UPDATE, { id: "1", input: { name: "x" } })).rejects.toMatchObject({
      code: "store_unavailable",
    })
  })
})
