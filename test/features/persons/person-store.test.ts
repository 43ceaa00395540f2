import { afterAll, beforeAll, describe, test } from "@jest/globals"
import fc from "fast-check"
import { createPersonStore } from "../../../src/features/persons/index.js"
import { isSurelyStorable } from "../../../src/features/persons/slice/surely-storable.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { InMemoryPersonStore } from "../../contract/in-memory-person-store.js"
import { describePersonStore } from "../../contract/person-store.contract.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"

describePersonStore("in memory", (work) => work(new InMemoryPersonStore()))

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

describe("properties that are surely storable", () => {
  test("are taken by PostgreSQL", async () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\\", "u", "0", "\u0000", "\ud800") }),
    )
    const anyNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1.7e308, 5e-324))
    const anyProperties = fc.dictionary(anyText, fc.oneof(anyText, anyNumber, fc.jsonValue({ depthSize: "medium" })))
    const nested = { deepest: JSON.parse(`${'[{"a":'.repeat(50)}1${"}]".repeat(50)}`) }
    await fc.assert(
      fc.asyncProperty(anyProperties, async (dictionary) => {
        const properties = { ...dictionary, ...nested } as JsonObject
        const propertiesJson = JSON.stringify(properties)
        if (!isSurelyStorable({ properties, propertiesJson })) return
        await stores.pool.query("SELECT $1::jsonb", [propertiesJson])
      }),
      { seed: 20261121, numRuns: 500 },
    )
  })
})

describePersonStore("PostgreSQL", async (work) => {
  const client = await stores.pool.connect()
  try {
    await client.query("BEGIN")
    await work(createPersonStore(client))
    await client.query("COMMIT")
  } finally {
    client.release(true)
  }
})
