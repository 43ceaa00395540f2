import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { isJsonObject, type Json, type JsonObject } from "../../../src/kernel/json.js"
import { readCases } from "../../flag-engine/flag-builders.js"
import { EVERYBODY, NOBODY, when } from "./decide/decide-harness.js"
import { CREATE, type FlagsApp, startFlagsApp, UPDATE } from "./flags-app.js"

describe("managing flags", () => {
  let app: FlagsApp
  beforeAll(async () => {
    app = await startFlagsApp()
  })
  afterAll(() => app.stop())

  let made = 0
  const create = async (input: JsonObject): Promise<JsonObject> =>
    (await app.run(CREATE, { input: { key: `flag-${++made}`, filters: EVERYBODY, ...input } })).flag
  const update = async (id: Json, input: JsonObject): Promise<JsonObject> =>
    (await app.run(UPDATE, { id: String(id), input })).flag
  const servedValue = async (key: Json): Promise<Json | undefined> =>
    ((await app.decide({})).featureFlags as JsonObject)[String(key)]

  test("a new flag and every change of it are decided at once", async () => {
    const flag = await create({})
    expect(flag).toMatchObject({
      version: 1,
      active: true,
      isSimpleFlag: true,
      rolloutPercentage: 100,
      status: "ACTIVE",
    })
    expect(await servedValue(flag.key as string)).toBe(true)
    expect(await update(flag.id as number, { filters: NOBODY })).toMatchObject({ version: 2 })
    expect(await servedValue(flag.key as string)).toBe(false)
    expect(await update(flag.id as number, { active: false })).toMatchObject({ version: 3, status: "INACTIVE" })
    expect(await servedValue(flag.key as string)).toBeUndefined()
  })

  test("GraphQL decides with the project key alone, and refuses another one", async () => {
    const flag = await create({})
    const ask = (apiKey: string) =>
      app.run(
        `query ($input: FlagDecisionInput!) { decision: flagDecision(input: $input) {
        errorsWhileComputingFlags quotaLimited flags { key enabled failed reason { code conditionIndex } } } }`,
        {
          input: { apiKey, distinctId: "u", flagKeys: [flag.key as string] },
        },
      )
    expect((await ask("phc_TEST")).decision).toEqual({
      errorsWhileComputingFlags: false,
      quotaLimited: [],
      flags: [{ key: flag.key, enabled: true, failed: false, reason: { code: "condition_match", conditionIndex: 0 } }],
    })
    await expect(ask("phc_other")).rejects.toMatchObject({ code: "invalid_project_key" })
  })

  test("definitions for local evaluation have a revision that changes with every change", async () => {
    const read = async () => (await app.run("{ definitions: flagDefinitions { revision body } }")).definitions
    const before = await read()
    const flag = await create({})
    const after = await read()
    expect(after.revision).not.toBe(before.revision)
    expect(after.body.flags).toContainEqual(expect.objectContaining({ id: flag.id, key: flag.key, version: 1 }))
    expect((await read()).revision).toBe(after.revision)
  })

  test("a key is taken once among flags that are not deleted", async () => {
    const flag = await create({ key: "taken" })
    await expect(create({ key: "taken" })).rejects.toMatchObject({ code: "unique", details: { attr: "key" } })
    expect(await update(flag.id as number, { deleted: true })).toMatchObject({ deleted: true, status: "DELETED" })
    const second = await create({ key: "taken" })
    await expect(update(flag.id as number, { deleted: false })).rejects.toMatchObject({ code: "unique" })
    await update(second.id as number, { deleted: true })
    expect(await update(flag.id as number, { deleted: false })).toMatchObject({ deleted: false })
  })

  test("changes that come together without a version are all made, one after the other", async () => {
    const flag = await create({})
    await Promise.all(Array.from({ length: 20 }, (_, index) => update(flag.id as number, { name: `n${index}` })))
    expect(await update(flag.id as number, {})).toMatchObject({ version: 22 })
  })

  test("two flags cannot be made to depend on each other by changes that come together", async () => {
    const [left, right] = [await create({}), await create({})]
    const on = (id: Json) => ({
      filters: when(String(id), true, { type: "flag", operator: "flag_evaluates_to" }),
    })
    const outcomes = await Promise.allSettled([
      update(left.id as number, on(right.id as number)),
      update(right.id as number, on(left.id as number)),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  })

  test("a change that was checked before another process changed the rules is checked again", async () => {
    const [needed, dependent] = [await create({}), await create({})]
    const filters = when(String(needed.id), true, { type: "flag", operator: "flag_evaluates_to" })
    for (let round = 0; round < 5; round++) {
      await update(needed.id as number, { deleted: false })
      await update(dependent.id as number, { filters: EVERYBODY })
      const outcomes = await Promise.allSettled([
        update(dependent.id as number, { filters }),
        app.runElsewhere(UPDATE, { id: String(needed.id), input: { deleted: true } }),
      ])
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    }
  })

  test("a deleted flag is restored only where what it depends on is still there", async () => {
    const needed = await create({})
    const filters = when(String(needed.id), true, { type: "flag", operator: "flag_evaluates_to" })
    const dependent = await create({ filters })
    await update(dependent.id as number, { deleted: true })
    await update(needed.id as number, { deleted: true })
    await expect(update(dependent.id as number, { deleted: false })).rejects.toMatchObject({
      details: { attr: "filters__groups__0__properties__0__key" },
    })
    await update(needed.id as number, { deleted: false })
    expect(await update(dependent.id as number, { deleted: false })).toMatchObject({ deleted: false })
  })

  test("a change based on an older version is a conflict", async () => {
    const flag = await create({})
    await update(flag.id as number, { name: "first", version: 1 })
    await expect(update(flag.id as number, { name: "second", version: 1 })).rejects.toMatchObject({ code: "conflict" })
    expect(await update(flag.id as number, { name: "second" })).toMatchObject({ version: 3 })
  })

  test("lists are newest first, can be searched and paged, and never show deleted flags", async () => {
    for (const key of ["searched-a", "searched-b", "searched-c"]) await create({ key })
    const gone = await create({ key: "searched-d" })
    await update(gone.id as number, { deleted: true })
    const { page } = await app.run(
      `{ page: featureFlags(search: "SEARCHED-", first: 2) { totalCount nodes { key } pageInfo { endCursor hasNextPage } } }`,
    )
    expect(page).toMatchObject({ totalCount: 3, nodes: [{ key: "searched-c" }, { key: "searched-b" }] })
    const { next } = await app.run(
      `{ next: featureFlags(search: "SEARCHED-", after: "${page.pageInfo.endCursor}") { nodes { key } } }`,
    )
    expect(next.nodes).toEqual([{ key: "searched-a" }])
  })

  test("lists can be narrowed by kind, author, runtime, labels and age, and ordered", async () => {
    const variants = [{ key: "a", rollout_percentage: 100 }]
    const flags: JsonObject[] = [
      { key: "l-b", filters: { groups: [] }, tags: ["web", "new"], active: false },
      { key: "l-a", filters: { groups: [], multivariate: { variants } }, evaluationRuntime: "server" },
      { key: "l-c", filters: { groups: [] }, isRemoteConfiguration: true, tags: ["old"] },
    ]
    for (const input of flags) await app.run(CREATE, { input })
    const keys = async (args: string): Promise<string[]> =>
      (await app.run(`{ page: featureFlags(search: "l-", ${args}) { nodes { key } } }`)).page.nodes.map(
        ({ key }) => key,
      )
    expect(await keys("orderBy: KEY")).toEqual(["l-a", "l-b", "l-c"])
    expect(await keys("orderBy: KEY, descending: true, first: 2")).toEqual(["l-c", "l-b"])
    expect(await keys("orderBy: ACTIVE")).toEqual(["l-b", "l-a", "l-c"])
    expect(await keys("filter: { type: BOOLEAN }")).toEqual(["l-b"])
    expect(await keys("filter: { type: MULTIVARIANT }")).toEqual(["l-a"])
    expect(await keys("filter: { type: REMOTE_CONFIG }")).toEqual(["l-c"])
    expect(await keys('filter: { tags: ["new", "old"] }')).toEqual(["l-c", "l-b"])
    expect(await keys('filter: { evaluationRuntime: "server" }')).toEqual(["l-a"])
    expect(await keys("filter: { createdById: 9 }")).toHaveLength(3)
    expect(await keys("filter: { createdById: 8 }")).toEqual([])
    expect(await keys("filter: { stale: true }")).toEqual([])
    await app.database.pool.query("UPDATE feature_flag SET updated_at = '2024-01-01' WHERE key IN ('l-b', 'l-c')")
    expect(await keys("filter: { stale: true }")).toEqual(["l-b"])
    await expect(keys('filter: { evaluationRuntime: "browser" }')).rejects.toThrow("not a valid choice")
  })

  test("a definition that was damaged in the store is listed with the others, and can be put right", async () => {
    const { rows } = await app.database.pool.query<{ id: number }>(
      `INSERT INTO feature_flag (project_id, key, filters) VALUES (1, 'damaged-null', 'null'), (1, 'damaged-list', '[]'), (1, 'damaged-text', '"x"')
       RETURNING id`,
    )
    const list = `{ page: featureFlags(search: "damaged-", orderBy: KEY) { nodes { key filters isSimpleFlag } } }`
    expect((await app.run(list)).page.nodes).toEqual([
      { key: "damaged-list", filters: [], isSimpleFlag: false },
      { key: "damaged-null", filters: null, isSimpleFlag: false },
      { key: "damaged-text", filters: "x", isSimpleFlag: false },
    ])
    expect(await update(rows[0]?.id as number, { filters: EVERYBODY })).toMatchObject({ version: 2 })
    await app.database.pool.query("DELETE FROM feature_flag WHERE key LIKE 'damaged-%'")
  })

  test("every change is in the audit log, and a refused one is not", async () => {
    const changed = (field: string, before: unknown, after: unknown) => ({ field, action: "changed", before, after })
    const flag = await create({ name: "" })
    await update(flag.id as number, { name: "new" })
    await expect(update(flag.id as number, { key: "a b" })).rejects.toThrow()
    await update(flag.id as number, { deleted: true })
    const { rows } = await app.database.pool.query(
      "SELECT user_id, activity, changes FROM activity_log WHERE scope = 'FeatureFlag' AND item_id = $1 ORDER BY id",
      [String(flag.id)],
    )
    expect(rows).toEqual([
      { user_id: 9, activity: "created", changes: { key: flag.key } },
      { user_id: 9, activity: "updated", changes: [changed("name", "", "new")] },
      { user_id: 9, activity: "deleted", changes: [changed("deleted", false, true)] },
    ])
  })

  test("a flag of another project is not found", async () => {
    const flag = await create({})
    const ask = (projectId: number) => app.run(`{ featureFlag(id: "${flag.id}") { key } }`, {}, projectId)
    expect(await ask(1)).toEqual({ featureFlag: { key: flag.key } })
    await expect(ask(2)).rejects.toMatchObject({ code: "not_found" })
    await expect(app.run(`{ featureFlag(id: "abc") { key } }`)).rejects.toMatchObject({ code: "not_found" })
  })

  test.each<[string, JsonObject, string]>([
    [
      "a rollout above 100",
      { filters: { groups: [{ properties: [], rollout_percentage: 101 }] } },
      "filters__groups__0__rollout_percentage",
    ],
    [
      "a rollout that is text",
      { filters: { groups: [{ rollout_percentage: "50" }] } },
      "filters__groups__0__rollout_percentage",
    ],
    ["groups that are no list", { filters: { groups: {} } }, "filters__groups"],
    [
      "look-around",
      { filters: when("email", "(?=a)b", { operator: "regex" }) },
      "filters__groups__0__properties__0__value",
    ],
    [
      "a group's property without saying of which group",
      { filters: when("tier", "gold", { type: "group" }) },
      "filters__groups__0__properties__0__group_type_index",
    ],
    [
      "something that is not known of persons",
      { filters: when("uuid", "x", { type: "person_metadata" }) },
      "filters__groups__0__properties__0__key",
    ],
    [
      "an operator nobody knows",
      { filters: when("p", 1, { operator: "between" }) },
      "filters__groups__0__properties__0__operator",
    ],
    [
      "a list for an operator that takes one value",
      { filters: when("p", ["a"], { operator: "not_regex" }) },
      "filters__groups__0__properties__0__value",
    ],
    [
      "an object as a value",
      { filters: when("p", { a: 1 }, { operator: "is_not" }) },
      "filters__groups__0__properties__0__value",
    ],
    [
      "an object among values",
      { filters: when("p", ["a", {}], { operator: "not_icontains_multi" }) },
      "filters__groups__0__properties__0__value",
    ],
    [
      "a holdout without a share",
      { filters: { groups: [], holdout: { id: 7 } } },
      "filters__holdout__exclusion_percentage",
    ],
    ["a value that is missing", { filters: when("p", null) }, "filters__groups__0__properties__0__value"],
    [
      "variants above 100",
      {
        filters: {
          multivariate: {
            variants: [
              { key: "a", rollout_percentage: 60 },
              { key: "b", rollout_percentage: 50 },
            ],
          },
        },
      },
      "filters__multivariate__variants",
    ],
    [
      "a cohort that does not exist",
      { filters: when("id", 4711, { type: "cohort", operator: "in" }) },
      "filters__groups__0__properties__0__value",
    ],
    [
      "a flag that does not exist",
      { filters: when("4711", true, { type: "flag", operator: "flag_evaluates_to" }) },
      "filters__groups__0__properties__0__key",
    ],
    ["a key with a space", { key: "a b" }, "key"],
    ["an empty key", { key: "" }, "key"],
    ["an unknown runtime", { evaluationRuntime: "moon" }, "evaluation_runtime"],
    ["a null where none may be", { active: null }, "active"],
  ])("%s is refused, naming the field", async (_, input, attr) => {
    await expect(create(input)).rejects.toMatchObject({ details: { attr } })
  })

  test("a circle of dependencies is refused, and so is switching off what active flags need", async () => {
    const dependsOn = (id: Json) => when(String(id), true, { type: "flag", operator: "flag_evaluates_to" })
    const base = await create({})
    const top = await create({ filters: dependsOn(base.id as number) })
    await expect(update(base.id as number, { filters: dependsOn(top.id as number) })).rejects.toThrow("circle")
    await expect(update(base.id as number, { active: false })).rejects.toMatchObject({ details: { attr: "active" } })
    await expect(update(base.id as number, { deleted: true })).rejects.toMatchObject({ details: { attr: "deleted" } })
    await update(top.id as number, { active: false })
    expect(await update(base.id as number, { active: false })).toMatchObject({ active: false })
  })

  test("text that PostgreSQL refuses is made storable, payloads become JSON text, operator aliases their operator", async () => {
    const property = { key: "p", type: "person", operator: "min", value: "a\u0000\ud800" }
    const flag = await create({ filters: { groups: [{ properties: [property] }], payloads: { true: { a: 1 } } } })
    expect(flag.filters).toMatchObject({
      groups: [{ properties: [{ operator: "gte", value: "a\uFFFD\uFFFD" }] }],
      payloads: { true: '{"a":1}' },
    })
  })

  const hostile = readCases<{ entries: { id: string; definition: JsonObject; expect: string }[] }>(
    "hostile-flag-definitions",
  ).entries
  test.each(
    hostile.filter(({ definition }) => definition.generator === undefined).map((one) => [one.id, one] as const),
  )("%s is refused with a field or kept and decided", async (id, { definition, expect: expected }) => {
    const key = definition.key === "k" ? id : definition.key
    const outcome = await create({ ...definition, key: key as string }).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ name: "AppError", details: { attr: expect.any(String) } })
      return
    }
    const { featureFlags, errorsWhileComputingFlags } = await app.decide({ person_properties: { p: "x", email: "b" } })
    expect(errorsWhileComputingFlags).toBe(false)
    expect(isJsonObject(featureFlags) && Object.hasOwn(featureFlags, String(key))).toBe(true)
    if (expected.endsWith("false")) expect((featureFlags as JsonObject)[String(key)]).toBe(false)
  })

  test("100,000 values in one condition are refused with a hint to use a cohort", async () => {
    const values = Array.from({ length: 100_000 }, (_, index) => index)
    await expect(create({ filters: when("p", values) })).rejects.toThrow("use a cohort")
  })
})
