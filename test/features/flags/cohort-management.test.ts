import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { Json, JsonObject } from "../../../src/kernel/json.js"
import { when } from "./decide-harness.js"
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

  test.each<[string, Json | undefined, string]>([
    ["no tree at all", undefined, "filters"],
    ["a tree without properties", {}, "filters__properties"],
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
