import { describe, expect, test } from "@jest/globals"
import type { QueryObject } from "../../../../src/features/queries/queries.types.js"
import { applyOverrides } from "../../../../src/features/queries/request/apply-overrides.js"
import type { Json } from "../../../../src/kernel/json.js"

const own = { key: "plan", value: "team" }
const added = { key: "country", value: "SE" }
const sql: QueryObject = { kind: "HogQLQuery", query: "select 1", filters: { properties: [own] } }
const trend: QueryObject = { kind: "TrendsQuery", series: [], properties: [own], dateRange: { date_from: "-30d" } }

describe("overrides of a query", () => {
  test("replace its dates and add their properties, where its kind has them", () => {
    const filters = { date_from: "-7d", properties: [added] }
    const dateRange = { date_from: "-7d", date_to: null }
    expect(applyOverrides(sql, filters, null)).toEqual({ ...sql, filters: { properties: [own, added], dateRange } })
    expect(applyOverrides(trend, filters, null)).toEqual({ ...trend, properties: [own, added], dateRange })
  })

  test("give variables of its own another value, and no others", () => {
    const query = { ...sql, variables: { a: { variableId: "a", code_name: "n", value: 1 } } }
    const override = { a: { value: 2 }, b: { value: 3 } }
    expect(applyOverrides(query, null, override)).toEqual({
      ...query,
      variables: { a: { variableId: "a", code_name: "n", value: 2 } },
    })
  })

  test.each<[filters: Json | undefined, variables: Json | undefined]>([
    [undefined, undefined],
    [null, null],
    [{}, {}],
    [{ date_from: null, date_to: null, properties: null }, {}],
    [{ properties: [] }, {}],
  ])("change nothing when they say nothing: %j, %j", (filters, variables) => {
    expect(applyOverrides(sql, filters, variables)).toEqual({ ...sql, filters: { properties: [own] } })
  })

  test.each<[filters: Json, variables: Json, attr: string, detail: string]>([
    ["-7d", null, "filters_override", "filters_override must be an object."],
    [[], null, "filters_override", "filters_override must be an object."],
    [{ properties: "plan" }, null, "filters_override__properties", "properties must be a list of filters."],
    [{ date_from: 7 }, null, "filters_override__date_from", "date_from must be a text such as -7d."],
    [{ date_to: {} }, null, "filters_override__date_to", "date_to must be a text such as -7d."],
    [null, "n", "variables_override", "variables_override must be an object."],
    [null, { a: 2 }, "variables_override__a", "variables_override__a must be an object."],
  ])("are refused when they are of another shape: %j, %j", (filters, variables, attr, detail) => {
    const run = () => applyOverrides({ ...sql, variables: { a: {} } }, filters, variables)
    expect(run).toThrow(expect.objectContaining({ code: "invalid_input", message: detail }))
    expect(run).toThrow(expect.objectContaining({ details: expect.objectContaining({ attr }) }))
  })
})
