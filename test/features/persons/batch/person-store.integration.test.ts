import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { isSurelyStorable } from "../../../../src/features/persons/batch/surely-storable.js"
import { createPersonStore, derivePersonId } from "../../../../src/features/persons/index.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { JsonObject } from "../../../../src/kernel/json.js"
import { InMemoryPersonStore } from "../../../contract/in-memory-person-store.js"
import { describePersonStore } from "../../../contract/person-store.contract.js"
import { type RealStores, startRealStores } from "../../ingestion/real-stores.js"

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

test("nothing is said of an id that is asked for beyond what is loaded at once, not even that it belongs to nobody", async () => {
  const projectId = asProjectId(4_001)
  const client = await stores.pool.connect()
  try {
    await client.query("BEGIN")
    const store = createPersonStore(client, 0)
    const other = { properties: {}, propertiesJson: "{}", isIdentified: false, isDeleted: false, createdAtMs: 0 }
    // After a split: the person that the id would create lives on under another id.
    await store.save([
      {
        projectId,
        groupTypes: [],
        groups: [],
        merges: [],
        persons: ["freed", "first"].map((name) => ({ ...other, id: derivePersonId(projectId, name), version: 1 })),
        distinctIds: [
          { distinctId: "kept", personId: derivePersonId(projectId, "freed"), version: 1 },
          { distinctId: "freed", personId: null, version: 1 },
          { distinctId: "first", personId: derivePersonId(projectId, "first"), version: 1 },
        ],
        personlessDistinctIds: ["freed"],
      },
    ])
    const many = Array.from({ length: 99 }, (_, index) => `nobody ${index}`)
    const question = { projectId, mergingDistinctIds: [], groups: [] }
    const [facts] = await store.load([{ ...question, distinctIds: ["first", ...many, "freed"] }])
    expect(facts).toMatchObject({ notLoaded: { distinctIds: ["freed"] }, personlessDistinctIds: [] })
    expect(facts?.distinctIds.map(({ distinctId }) => distinctId)).toEqual(["first"])
    const [rest] = await store.load([{ ...question, distinctIds: ["freed"] }])
    expect(rest).toMatchObject({
      persons: [{ id: derivePersonId(projectId, "freed") }],
      personlessDistinctIds: ["freed"],
      distinctIds: [{ distinctId: "freed", personId: null }],
    })
  } finally {
    client.release(true)
  }
})
