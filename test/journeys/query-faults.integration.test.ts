import { afterAll, describe, expect, test } from "@jest/globals"
import { copyOfTemplate } from "../support/store-templates.js"
import { waitFor } from "../support/wait-for.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { WaymarkProcess } from "../support/waymark-process.js"

const QUERY = "/api/environments/@current/query/"
const ENDLESS = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1"
const directory = copyOfTemplate("server")
let server: WaymarkProcess | null = null

async function started(): Promise<WaymarkApi> {
  server = new WaymarkProcess(directory.path)
  return new WaymarkApi(await server.ready())
}
afterAll(async () => {
  await server?.stop()
  directory.remove()
})

interface Status {
  readonly query_status: { readonly complete: boolean; readonly error: boolean; readonly error_message: string | null }
}

describe("queries", () => {
  test("end as failed with the reason when their server is killed and starts again; those in line are run", async () => {
    const before = await started()
    for (const id of ["a", "b", "c", "d"])
      await before.post(QUERY, {
        query: { kind: "HogQLQuery", query: id === "d" ? "SELECT 4" : `${ENDLESS} -- ${id}` },
        refresh: "force_async",
        client_query_id: id,
      })
    await waitFor("the first run to be picked up", async () => {
      const { headers } = await before.get(`${QUERY}a/`)
      return headers.get("x-query-state") === "running"
    })
    await server?.kill()

    const after = await started()
    expect((await after.get(`${QUERY}a/`)).status).toBe(200)
    const statusOf = async (id: string) => (await after.get<Status>(`${QUERY}${id}/?wait=5`)).body.query_status
    const interrupted = await waitFor("the interrupted run to end", async () => {
      const status = await statusOf("a")
      return status.complete ? status : null
    })
    expect(interrupted).toMatchObject({ error: true, error_message: expect.stringContaining("interrupted") })
    for (const id of ["b", "c"]) await after.request("DELETE", `${QUERY}${id}/`)
    const done = await waitFor("the waiting run to be run", async () => {
      const status = await statusOf("d")
      return status.complete ? status : null
    })
    expect(done).toMatchObject({ error: false, results: { results: [[4]] } })
  })

  test("of which two hundred come at once are each answered or refused, and capture takes every event beside them", async () => {
    if (server === null) throw new Error("the server was not started")
    const after = new WaymarkApi(await server.ready())
    const asked = Array.from({ length: 200 }, (_, index) =>
      after.post<{ results?: unknown }>(QUERY, {
        query: { kind: "HogQLQuery", query: `SELECT ${index}, sum(sipHash64(number)) FROM numbers(2000000)` },
      }),
    )
    const captured = await Promise.all(
      Array.from({ length: 200 }, (_, index) => after.capture({ event: "under stress", distinct_id: `d${index}` })),
    )
    expect(captured.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
    await after.drained()
    expect(await after.hogql("SELECT count() FROM events WHERE event = 'under stress'")).toEqual([[200]])
  })
})
