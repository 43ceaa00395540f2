import { describe, expect, test } from "@jest/globals"
import { OwnPropertyCounter } from "../../../../src/features/ingestion/spares/own-property-counter.js"
import { SpareCatalogue, type Spares } from "../../../../src/features/ingestion/spares/spare-catalogue.js"
import { asProjectId, type ProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { createManualClock } from "../../../support/manual-clock.js"

const PROJECT = asProjectId(1)
const OTHER = asProjectId(2)

/** What these events earn, where two of every four have to have a property. */
function earn(events: readonly JsonObject[], given: readonly string[] = []): readonly string[] | undefined {
  const counter = new OwnPropertyCounter({ everyEvents: 1, countedEvents: 4, minEvents: 2 })
  for (const properties of events) counter.count(PROJECT, properties, given)
  return counter.takeEarned([PROJECT]).get(PROJECT)
}

describe("a spare column", () => {
  test("is earned by the most frequent properties, by name among equals", () => {
    expect(earn([{ b: 1, a: 1, seldom: 1 }, { c: true, a: "x", b: 2 }, { c: false, a: 0 }, {}])).toEqual([
      "a",
      "b",
      "c",
    ])
  })

  test("is earned at the end of a round alone", () => {
    expect(earn([{ a: 1 }, { a: 1 }, { a: 1 }])).toBeUndefined()
  })

  test("is earned by every tenth event of a thousand that count, when one of twenty has the property", () => {
    const counter = new OwnPropertyCounter()
    for (let event = 1; event <= 10_000; event++)
      counter.count(PROJECT, { often: event % 200 === 0 ? 1 : null, ...(event % 10 !== 0 && { between: 1 }) }, [])
    expect(counter.takeEarned([PROJECT])).toEqual(new Map([[PROJECT, ["often"]]]))
  })

  test.each([
    ["a name of the clients", { $feature: "x" }],
    ["a column by name", { utm_source: "x" }],
    ["a name of a secret", { session_token: "x", Password: "x", "api-key": "x", apiKey: "x" }],
    ["long values", { a: "x".repeat(201) }],
    ["objects and lists", { a: {}, b: [] }],
    ["null alone", { a: null }],
    ["no name", { "": 1 }],
    ["a long name", { ["x".repeat(201)]: 1 }],
  ])("is not for properties with %s", (_, properties) => {
    expect(earn([properties, properties, properties, properties])).toBeUndefined()
  })

  test("is not earned twice, nor when all are given", () => {
    const events: JsonObject[] = [{ a: 1, b: 1 }, { a: 1, b: 1 }, {}, {}]
    expect(earn(events, ["a"])).toEqual(["b"])
    expect(
      earn(
        events,
        Array.from({ length: 16 }, (_, index) => `given ${index}`),
      ),
    ).toBeUndefined()
  })

  test("is of one project, and is taken once", () => {
    const counter = new OwnPropertyCounter({ everyEvents: 1, countedEvents: 1, minEvents: 1 })
    counter.count(PROJECT, { a: 1 }, [])
    expect(counter.takeEarned([OTHER]).size).toBe(0)
    expect(counter.takeEarned([PROJECT, OTHER])).toEqual(new Map([[PROJECT, ["a"]]]))
    expect(counter.takeEarned([PROJECT]).size).toBe(0)
  })

  test("is not earned by names that a sender makes up", () => {
    const counter = new OwnPropertyCounter({ everyEvents: 1, countedEvents: 2, minEvents: 1 })
    const names = Array.from({ length: 1_500 }, (_, index) => `name ${index}`)
    for (const from of [0, 750]) {
      const some = names.slice(from, from + 750)
      counter.count(PROJECT, Object.fromEntries(some.map((name) => [name, 1])), [])
    }
    expect(counter.takeEarned([PROJECT]).get(PROJECT)).toHaveLength(1_000)
  })
})

describe("what a process knows of spare columns", () => {
  test("is read once a minute, and after something was earned", async () => {
    const clock = createManualClock(0)
    const catalogue = new SpareCatalogue(clock, { everyEvents: 1, countedEvents: 1, minEvents: 1 })
    const asked: ProjectId[][] = []
    const stored = new Map<ProjectId, readonly string[]>([[PROJECT, ["a"]]])
    const list = async (projectIds: readonly ProjectId[]): Promise<Spares> => {
      asked.push([...projectIds])
      return stored
    }
    expect(await catalogue.read([PROJECT, OTHER], list)).toEqual(
      new Map([
        [PROJECT, ["a"]],
        [OTHER, []],
      ]),
    )
    expect((await catalogue.read([PROJECT], list)).get(PROJECT)).toEqual(["a"])
    expect(asked).toEqual([[PROJECT, OTHER]])
    catalogue.count(OTHER, { b: 1 }, [])
    catalogue.takeEarned([PROJECT, OTHER])
    await catalogue.read([PROJECT, OTHER], list)
    expect(asked).toEqual([[PROJECT, OTHER], [OTHER]])
    clock.advance(60_000)
    await catalogue.read([PROJECT], list)
    expect(asked).toEqual([[PROJECT, OTHER], [OTHER], [PROJECT]])
  })
})
