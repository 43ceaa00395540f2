import { describe, expect, test } from "@jest/globals"
import { DefinitionCatalogue } from "../../../../src/features/ingestion/definitions/definition-catalogue.js"
import { guessPropertyType } from "../../../../src/features/ingestion/definitions/property-type.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"

const EVENT = { projectId: asProjectId(1), kind: "event", groupTypeIndex: -1 } as const

function typesAfter(...batches: JsonObject[][]): Record<string, string> {
  const catalogue = new DefinitionCatalogue()
  const types: Record<string, string> = {}
  for (const batch of batches) {
    const collector = catalogue.collect()
    for (const properties of batch) collector.addProperties(EVENT, properties)
    catalogue.remember(collector.definitions())
    for (const { name, type } of collector.definitions().properties) types[name] = type
  }
  return types
}

describe("the type of a property", () => {
  test.each([
    [1.5, "Numeric"],
    [true, "Boolean"],
    ["text", "String"],
    ["12", "String"],
    ["2025-06-01", "DateTime"],
    ["2025-06-01T12:00:00.123Z", "DateTime"],
    ["2025-06-01 12:00:00+02", "String"],
    [{ a: 1 }, "String"],
    [["a"], "String"],
    [null, null],
  ])("is for the value %j: %s", (value, type) => {
    expect(guessPropertyType(value)).toBe(type)
  })

  test("becomes text once two types were seen, in one batch or in two", () => {
    expect(typesAfter([{ a: 1, b: 1 }, { a: "x" }], [{ b: true }])).toEqual({ a: "String", b: "String" })
  })

  test("is sent once and then only when it changes", () => {
    const catalogue = new DefinitionCatalogue()
    const first = catalogue.collect()
    first.addProperties(EVENT, { a: 1 })
    catalogue.remember(first.definitions())
    const second = catalogue.collect()
    second.addProperties(EVENT, { a: 2 })
    expect(second.definitions().properties).toEqual([])
  })

  test("is not kept for names that steer ingestion, nor for very long ones", () => {
    expect(typesAfter([{ $set: { a: 1 }, $groups: {}, ["x".repeat(201)]: 1 }])).toEqual({})
  })
})

describe("a sender who makes names up", () => {
  const NAMES = Array.from({ length: 11_000 }, (_, index) => `name ${index}`)
  const MADE_UP = Object.fromEntries(NAMES.map((name, index) => [name, index]))

  test("leaves no more properties than a project may have, in one event or in many", () => {
    expect(Object.keys(typesAfter([MADE_UP]))).toHaveLength(10_000)
    expect(Object.keys(typesAfter([MADE_UP], [{ late: 1 }]))).toHaveLength(10_000)
    expect(Object.keys(typesAfter(NAMES.map((name) => ({ [name]: 1 }))))).toHaveLength(10_000)
  })

  test("does not keep the properties that came first from becoming text", () => {
    expect(typesAfter([{ ...MADE_UP, "name 0": 1 }, { "name 0": "x" }])).toHaveProperty(["name 0"], "String")
  })

  test("leaves no more events than a project may have, in one batch or in several", () => {
    const catalogue = new DefinitionCatalogue()
    const addAll = (): number => {
      const collector = catalogue.collect()
      for (const name of NAMES) collector.addEvent(EVENT.projectId, name)
      catalogue.remember(collector.definitions())
      return collector.definitions().events.length
    }
    expect([addAll(), addAll()]).toEqual([10_000, 0])
  })
})
