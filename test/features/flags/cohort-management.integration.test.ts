import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { waitFor } from "../../support/wait-for.js"
import { when } from "./decide/decide-harness.js"
import { CREATE, type FlagsApp, startFlagsApp, UPDATE } from "./flags-app.js"

const group = (...values: Json[]): JsonObject => ({ properties: { type: "AND", values } })
const PRO = { key: "plan", type: "person", value: "pro" }
const nested = (id: Json): Json => ({ key: "id", type: "cohort", value: id })

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
      "a condition on events",
      group({ key: "$pageview", type: "behavioral", value: "performed_event" }),
      "filters__properties__values__0__type",
    ],
    ["a cohort that does not exist", group(nested(4711)), "filters"],
    ["values that are no list", { properties: { type: "OR", values: {} } }, "filters__properties__values"],
  ])("%s is refused, naming the field", async (_, filters, attr) => {
    await expect(create(filters)).rejects.toMatchObject({ details: { attr } })
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
