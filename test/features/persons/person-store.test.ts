import { afterAll, beforeAll } from "@jest/globals"
import { createPersonStore } from "../../../src/features/persons/index.js"
import { InMemoryPersonStore } from "../../contract/in-memory-person-store.js"
import { describePersonStore } from "../../contract/person-store.contract.js"
import { type RealStores, startRealStores } from "../ingestion/real-stores.js"

describePersonStore("in memory", (work) => work(new InMemoryPersonStore()))

let stores: RealStores
beforeAll(async () => {
  stores = await startRealStores()
})
afterAll(() => stores.stop())

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
