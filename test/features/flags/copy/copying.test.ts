import { describe, expect, test } from "@jest/globals"
import { type CopiedCohort, matchCohorts } from "../../../../src/features/flags/copy/cohort-copies.js"
import { matchGroupTypes } from "../../../../src/features/flags/copy/match-group-types.js"
import { findReferences, withReferences } from "../../../../src/features/flags/copy/references.js"
import { findReachedCohorts } from "../../../../src/flag-engine/definition/fact-needs.js"
import { listCohortLeaves } from "../../../../src/flag-engine/definition/stored-filters.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"

const inCohort = (value: Json): JsonObject => ({ key: "id", type: "cohort", operator: "in", value })
const definition: JsonObject = {
  aggregation_group_type_index: 1,
  groups: [
    {
      properties: [
        inCohort("5"),
        { key: "7", type: "flag", operator: "flag_evaluates_to", value: true },
        { key: "size", type: "group", group_type_index: 2, operator: "gt", value: 5 },
      ],
      aggregation_group_type_index: null,
    },
  ],
  payloads: { true: '{"type":"cohort","value":5}' },
}

describe("a definition that is copied to another project", () => {
  test("names cohorts, flags and group types of that project, and nothing else is changed", () => {
    const references = findReferences(definition)
    expect(references).toEqual({
      cohortIds: new Set([5]),
      flags: new Set(["7"]),
      groupTypeIndexes: new Set([1, 2]),
    })
    const copy = withReferences(definition, {
      cohortIds: new Map([[5, 50]]),
      flags: new Map([["7", "70"]]),
      groupTypeIndexes: new Map([
        [1, 0],
        [2, 4],
      ]),
    })
    expect(copy).toEqual({
      aggregation_group_type_index: 0,
      groups: [
        {
          properties: [
            inCohort(50),
            { key: "70", type: "flag", operator: "flag_evaluates_to", value: true },
            { key: "size", type: "group", group_type_index: 4, operator: "gt", value: 5 },
          ],
          aggregation_group_type_index: null,
        },
      ],
      payloads: { true: '{"type":"cohort","value":5}' },
    })
  })

  test("may list more values than a call takes arguments", () => {
    const value = Array.from({ length: 200_000 }, (_, index) => `id-${index}`)
    const wide = { properties: { type: "OR", values: [...value.map((id) => ({ key: id, value: id })), inCohort(5)] } }
    expect(findReferences(wide).cohortIds).toEqual(new Set([5]))
    expect(listCohortLeaves(wide)).toHaveLength(200_001)
    const cohorts = new Map([[1, { id: 1, isStatic: false, filters: wide }]])
    expect(findReachedCohorts([inCohort(1)], cohorts)).toEqual(new Set([1, 5]))
  })

  test("keeps its group types by name, and is refused where another type has the number", () => {
    const from = [
      { index: 0, name: "company" },
      { index: 1, name: "team" },
    ]
    expect(matchGroupTypes(new Set([1]), from, [{ index: 3, name: "team" }])).toEqual(new Map([[1, 3]]))
    expect(matchGroupTypes(new Set([1]), from, [])).toEqual(new Map([[1, 1]]))
    expect(() => matchGroupTypes(new Set([1]), from, [{ index: 1, name: "shop" }])).toThrow("no group type team")
  })

  test("finds its cohorts by name and makes those that are missing, nested ones first", async () => {
    const tree = (...values: Json[]): Json => ({ properties: { type: "AND", values } })
    const cohort = (id: number, name: string, filters: Json, isStatic = false): CopiedCohort => ({
      id,
      name,
      description: "",
      isStatic,
      filters,
    })
    const from = [
      cohort(1, "outer", tree(inCohort(2), inCohort(3), inCohort(4))),
      cohort(2, "inner", tree()),
      cohort(3, "there", tree()),
      cohort(4, "listed", null, true),
    ]
    const made: CopiedCohort[] = []
    const create = async (wanted: Omit<CopiedCohort, "id">): Promise<CopiedCohort> => {
      made.push({ ...wanted, id: 100 + made.length })
      return made.at(-1) as CopiedCohort
    }
    const there = [cohort(30, "there", tree()), cohort(40, "listed", tree())]
    expect(await matchCohorts(new Set([1]), from, there, create)).toEqual(
      new Map([
        [2, 100],
        [3, 30],
        [4, 101],
        [1, 102],
      ]),
    )
    expect(made.map(({ name, isStatic }) => [name, isStatic])).toEqual([
      ["inner", false],
      ["listed", true],
      ["outer", false],
    ])
    expect(made[2]?.filters).toEqual(tree(inCohort(100), inCohort(30), inCohort(101)))
    await expect(matchCohorts(new Set([9]), from, there, create)).rejects.toThrow("cohort 9")
  })
})
