import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { createPersonSearch } from "../../../../src/features/persons/directory/person-search.store.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import { startTestStores, type TestStores } from "../../../support/test-stores.js"
import { waitFor } from "../../../support/wait-for.js"

const [GREEDY, OTHER] = [asProjectId(1), asProjectId(2)]

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores([])
})
afterAll(() => stores.stop())

describe("a search of persons", () => {
  test("that runs out of time is query_timeout, not a defect", async () => {
    const run = createPersonSearch(stores.database.searchPool)
    const sleeping = run(GREEDY, async (search) => {
      await search.all("SET statement_timeout = 50", [])
      return search.all("SELECT pg_sleep(60)", [])
    })
    await expect(sleeping).rejects.toMatchObject({
      code: "query_timeout",
      message: expect.stringContaining("5 seconds"),
    })
  })

  test("takes rows up to a measure, at least one of them, and reads few more", async () => {
    const run = createPersonSearch(stores.database.searchPool)
    const take = (max: number) =>
      run(OTHER, async (search) => {
        let measured = 0
        const { rows, isCut = false } = await search.upTo<{ n: number }>(
          "SELECT n FROM generate_series(1, $1::int) AS n",
          [10_000],
          ({ n }) => {
            measured++
            return n
          },
          max,
        )
        return [rows.length, measured, isCut]
      })
    expect(await take(0)).toEqual([1, 2, true])
    expect(await take(6)).toEqual([3, 4, true])
    expect(await take(Number.POSITIVE_INFINITY)).toEqual([10_000, 10_000, false])
  })

  test("leaves a place to other projects, however many of one project wait, and refuses what is too many", async () => {
    const run = createPersonSearch(stores.database.searchPool)
    const gate = Promise.withResolvers<void>()
    let running = 0
    const holding = Array.from({ length: 12 }, () =>
      run(GREEDY, async () => {
        running++
        await gate.promise
      }),
    )
    await waitFor("the project's places to be taken", () => running === 2)
    await expect(run(GREEDY, async () => "too many")).rejects.toMatchObject({ code: "rate_limited" })
    expect(await run(OTHER, (search) => search.all<{ one: number }>("SELECT 1 AS one", []))).toEqual([{ one: 1 }])
    expect(running).toBe(2)
    gate.resolve()
    await Promise.all(holding)
    expect(running).toBe(12)
  })
})
