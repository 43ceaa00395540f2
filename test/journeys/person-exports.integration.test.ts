import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY } from "../support/waymark-process.js"

const PERSONS = "/api/environments/@current/persons/"
/** More than the buffers of a connection hold. */
const TEXT = "x".repeat(500_000)

describe("exports of persons", () => {
  const { api } = ownServer()
  const addPersons = async (from: number, to: number) => {
    for (let index = from; index < to; index++)
      await api.capture({ event: "$set", distinct_id: `person-${index}`, properties: { $set: { text: TEXT } } })
    await api.drained()
  }
  beforeAll(() => addPersons(0, 30))

  /** An export whose answer is never read. */
  async function beginExport(): Promise<IncomingMessage> {
    const query = "{ exportPersons(projectId: 1) { id: uuid properties } }"
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${PERSONAL_KEY}` }
    const asked = request(`${api.url}/graphql`, { method: "POST", headers })
    asked.end(JSON.stringify({ query }))
    const [answer] = (await once(asked, "response")) as [IncomingMessage]
    return answer
  }

  test("are one at a time for a key, until the answer has left or its reader has", async () => {
    const first = await beginExport()
    expect(first.statusCode).toBe(200)
    const refused = await api.get<{ code: string; detail: string }>(`${PERSONS}?format=csv`)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "throttled", detail: expect.stringMatching(/exports/) },
    })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await api.get(`${PERSONS}?limit=1`)).status).toBe(200)
    first.destroy()
    const next = await waitFor("the permit to be back", async () => {
      const answer = await api.get<string>(`${PERSONS}?format=csv`)
      return answer.status === 200 ? answer : null
    })
    expect(next.body.split("\r\n")).toHaveLength(32)
    expect((await api.get(`${PERSONS}?format=csv`)).status).toBe(200)
    expect((await api.get<string>("/metrics")).body).toMatch(/waymark_refused_total\{reason="exports"\} [1-9]/)
  })

  test("say what to do instead when there would be too much in memory", async () => {
    await addPersons(30, 55)
    for (const path of ["?format=csv", "trends/?format=csv&entity_id=$set&entity_type=events&date_from=-1d"]) {
      const { status, body } = await api.get<{ code?: string; detail?: string }>(`${PERSONS}${path}`)
      expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: "result_too_large" })
      expect(body.detail).toContain("/query/export")
    }
  })
})
