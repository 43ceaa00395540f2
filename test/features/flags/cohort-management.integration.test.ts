import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { waitFor } from "../../support/wait-for.js"
import { when } from "./decide/decide-harness.js"
import { ACTION_ID, CREATE, type FlagsApp, startFlagsApp, UPDATE } from "./flags-app.js"

const group = (...values: Json[]): JsonObject => ({ properties: { type: "AND", values } })
const PRO = { key: "plan", type: "person", value: "pro" }
const nested = (id: Json): Json => ({ key: "id", type: "cohort", value: id })

const did = (more: JsonObject = {}): JsonObject => ({
  type: "behavioral",
  value: "performed_event",
  key: "$pageview",
  event_type: "events",
  time_value: 7,
  time_interval: "day",
  ...more,
})

describe("managing cohorts", () => {
  let app: FlagsApp
  beforeAll(async () => {
    app = await startFlagsApp()
  })
  afterAll(() => app.stop())

  const create = async (filters: Json | undefined, isStatic = false): Promise<JsonObject> => {
    const source = `mutation ($input: CohortInput!, $isStatic: Boolean!) { cohort: createCohort(input: $input, isStatic: $isStatic) { id filters } }`
    return (await app.run(source, { input: { name: "c", ...(filters === undefined ? {} : { filters }) }, isStatic }))
      .cohort
  }
  const update = async (id: Json, input: JsonObject): Promise<JsonObject> =>
    (
      await app.run(
        `mutation ($id: Int!, $input: CohortInput!) { cohort: updateCohort(id: $id, input: $input) { id deleted } }`,
        { id, input },
      )
    ).cohort

  test("a cohort is not made that names one that is deleted while it is being made", async () => {
    const needed = await create(group(PRO))
    const client = await app.database.pool.connect()
    try {
      // As another process deletes it: what is checked meanwhile still sees it.
      await client.query("BEGIN")
      await client.query("SELECT FROM flag_rule_version WHERE project_id = 1 FOR UPDATE")
      await client.query("UPDATE cohort SET deleted = true WHERE id = $1", [needed.id])
      const made = create(group(nested(needed.id as number))).catch((fault: unknown) => fault)
      await waitFor("it to wait for its turn", async () => {
        const { rows } = await app.database.pool.query("SELECT FROM pg_locks WHERE NOT granted")
        return rows.length > 0
      })
      await client.query("COMMIT")
      expect(await made).toMatchObject({ details: { attr: "filters" } })
    } finally {
      client.release()
    }
  })

  test.each<[string, Json | undefined, string]>([
    ["no tree at all", undefined, "filters"],
    ["a tree that is text", "AND", "filters"],
    ["a tree without properties", {}, "filters__properties"],
    ["an operator nobody knows", group({ ...PRO, operator: "contains" }), "filters__properties__values__0__operator"],
    [
      "a pattern that cannot be read",
      group({ ...PRO, operator: "regex", value: "(" }),
      "filters__properties__values__0__value",
    ],
    ["a condition without a value", group({ key: "plan", type: "person" }), "filters__properties__values__0__value"],
    [
      "a list where one value is meant",
      group({ ...PRO, operator: "gt", value: [1] }),
      "filters__properties__values__0__value",
    ],
    [
      "a kind of condition nobody knows",
      group({ ...PRO, type: "precalculated" }),
      "filters__properties__values__0__type",
    ],
    ["an action that does not exist", group(did({ key: 4711, event_type: "actions" })), "filters"],
    ["a cohort that does not exist", group(nested(4711)), "filters"],
    ["values that are no list", { properties: { type: "OR", values: {} } }, "filters__properties__values"],
  ])("%s is refused, naming the field", async (_, filters, attr) => {
    await expect(create(filters)).rejects.toMatchObject({ details: { attr } })
  })

  test.each<[string, JsonObject, string]>([
    ["what nobody can do", { value: "performed_event_never" }, "value"],
    ["neither an event nor an action", { event_type: null }, "event_type"],
    ["an event without a name", { key: "" }, "key"],
    ["an action that is no number", { key: "clicked", event_type: "actions" }, "key"],
    ["no time", { time_value: null }, "time_value"],
    ["a time of no length", { time_value: 0 }, "time_value"],
    ["a part of a day", { time_value: 1.5 }, "time_value"],
    ["a time as long as nothing was", { time_value: 101, time_interval: "year" }, "time_value"],
    ["an interval nobody knows", { time_interval: "quarter" }, "time_interval"],
    ["a date that cannot be read", { explicit_datetime: "yesterday" }, "explicit_datetime"],
    ["an end that cannot be read", { explicit_datetime: "-7d", explicit_datetime_to: "soon" }, "explicit_datetime_to"],
    ["filters that are no list", { event_filters: "plan" }, "event_filters"],
    ["a filter that cannot be read", { event_filters: [{ ...PRO, operator: "contains" }] }, "event_filters"],
    ["no number of times", { value: "performed_event_multiple", operator: "gte" }, "operator_value"],
    [
      "a comparison nobody knows",
      { value: "performed_event_multiple", operator: "between", operator_value: 2 },
      "operator",
    ],
    [
      "more periods than there are",
      { value: "performed_event_regularly", operator_value: 1, min_periods: 3, total_periods: 2 },
      "min_periods",
    ],
    ["nothing that follows", { value: "performed_event_sequence", seq_event_type: "events" }, "seq_event"],
    ["no time in which it stopped", { value: "stopped_performing_event" }, "seq_time_interval"],
  ])("a condition on what persons did with %s is refused, naming the field", async (_, more, field) => {
    const attr = `filters__properties__values__0__${field}`
    await expect(create(group(did(more)))).rejects.toMatchObject({ details: { attr } })
  })

  test("no flag may ask for a cohort that looks at events, even through another one", async () => {
    const inner = await create(group(did()))
    const outer = await create(group(nested(inner.id as number)))
    const filters = when("id", outer.id as number, { type: "cohort", operator: "in" })
    await expect(app.run(CREATE, { input: { key: "watching", filters } })).rejects.toThrow(
      `must not be a cohort that looks at events (cohort ${inner.id} does)`,
    )
  })

  test("a cohort that flags ask for does not become one that they cannot decide by", async () => {
    const inner = await create(group(PRO))
    const outer = await create(group(nested(inner.id as number)))
    const filters = when("id", outer.id as number, { type: "cohort", operator: "in" })
    await app.run(CREATE, { input: { key: "deciding", filters } })
    const change = (leaf: Json) => update(inner.id as number, { filters: group(leaf) })
    await expect(change(did())).rejects.toThrow(
      `Feature flags ask for this cohort (deciding), and none can ask for a cohort that looks at events`,
    )
    await expect(change({ ...PRO, operator: "between", value: [1, 2] })).rejects.toThrow("that uses between")
    expect(await change({ ...PRO, value: "team" })).toMatchObject({ id: inner.id })
  })

  test("an action may be asked for by its number, as text too", async () => {
    for (const key of [ACTION_ID, String(ACTION_ID)])
      expect(await create(group(did({ key, event_type: "actions" })))).toMatchObject({ id: expect.any(Number) })
  })

  test("a cohort that names another by anything but in and not_in is refused", async () => {
    const inner = await create(group(PRO))
    const leaf = { ...(nested(inner.id as number) as JsonObject), operator: "exact" }
    await expect(create(group(leaf))).rejects.toMatchObject({
      details: { attr: "filters__properties__values__0__operator" },
    })
    expect(await create(group({ ...leaf, operator: "not_in" }))).toMatchObject({ id: expect.any(Number) })
  })

  test("conditions that only queries know are kept, and no flag may ask for their cohort", async () => {
    const { id } = await create(group({ ...PRO, operator: "between", value: [1, 5] }))
    const filters = when("id", id as number, { type: "cohort", operator: "in" })
    await expect(app.run(CREATE, { input: { key: "never", filters } })).rejects.toThrow("between")
  })

  test("a deleted cohort is restored, and one that another names cannot be deleted", async () => {
    const inner = await create(group(PRO))
    const outer = await create(group(nested(inner.id as number)))
    await expect(update(inner.id as number, { deleted: true })).rejects.toThrow("Cohorts ask for this one")
    await update(outer.id as number, { deleted: true })
    await update(inner.id as number, { deleted: true })
    await expect(update(inner.id as number, { name: "x" })).rejects.toMatchObject({ code: "not_found" })
    await expect(update(outer.id as number, { deleted: false })).rejects.toThrow("does not exist")
    expect(await update(inner.id as number, { deleted: false })).toMatchObject({ deleted: false })
    expect(await update(outer.id as number, { deleted: false })).toMatchObject({ deleted: false })
  })

  test("lists are searched and narrowed, and every change is in the audit log", async () => {
    const listed = await create(undefined, true)
    const described = await create(group(PRO))
    await update(listed.id as number, { name: "Searched 100%" })
    await update(described.id as number, { name: "searched as well" })
    const ids = async (args: string): Promise<number[]> =>
      (await app.run(`{ page: cohorts(${args}) { nodes { id } } }`)).page.nodes.map(({ id }) => id)
    expect(await ids('search: "SEARCHED"')).toEqual([described.id, listed.id])
    expect(await ids('search: "100%"')).toEqual([listed.id])
    expect(await ids('search: "searched", isStatic: true')).toEqual([listed.id])
    expect(await ids('search: "searched", createdById: 8')).toEqual([])
    await update(listed.id as number, { deleted: true })
    const { rows } = await app.database.pool.query(
      "SELECT activity, changes, user_id FROM activity_log WHERE scope = 'Cohort' AND item_id = $1 ORDER BY id",
      [String(listed.id)],
    )
    expect(rows).toEqual([
      { activity: "created", changes: { name: "c" }, user_id: 9 },
      { activity: "updated", changes: { name: "Searched 100%" }, user_id: 9 },
      { activity: "deleted", changes: { deleted: true }, user_id: 9 },
    ])
  })

  test("a cohort cannot lead back to itself", async () => {
    const inner = await create(group(PRO))
    const outer = await create(group(nested(inner.id as number)))
    await expect(update(inner.id as number, { filters: group(nested(outer.id as number)) })).rejects.toThrow(
      "lead back",
    )
    await expect(update(inner.id as number, { filters: group(nested(inner.id as number)) })).rejects.toThrow(
      "lead back",
    )
  })

  test("a cohort that a flag asks for, even through another one, cannot be deleted", async () => {
    const inner = await create(group(PRO))
    const outer = await create(group(nested(inner.id as number)))
    const filters = when("id", outer.id as number, { type: "cohort", operator: "in" })
    const { flag } = await app.run(CREATE, { input: { key: "asking", filters } })
    await expect(update(inner.id as number, { deleted: true })).rejects.toThrow("asking")
    await app.run(UPDATE, { id: String(flag.id), input: { deleted: true } })
    await update(outer.id as number, { deleted: true })
    expect(await update(inner.id as number, { deleted: true })).toMatchObject({ deleted: true })
    await expect(app.run(`{ cohort(id: ${inner.id}) { id } }`)).rejects.toMatchObject({ code: "not_found" })
  })

  test("members are listed only for a static cohort of the same project", async () => {
    const dynamic = await create(group(PRO))
    const listed = await create(undefined, true)
    const add = (id: Json, projectId = 1) =>
      app.run(`mutation { addCohortMembers(id: ${id}, distinctIds: ["nobody"]) }`, {}, projectId)
    expect(await add(listed.id as number)).toEqual({ addCohortMembers: 0 })
    await expect(add(dynamic.id as number)).rejects.toThrow("static cohort")
    await expect(add(listed.id as number, 2)).rejects.toMatchObject({ code: "not_found" })
  })
})
