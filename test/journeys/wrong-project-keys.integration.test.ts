import { randomUUID } from "node:crypto"
import { describe, expect, test } from "@jest/globals"
import { ownServer } from "../support/own-server.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"

const EVENT = { event: "sent", distinct_id: "a" }

describe("made-up project keys", () => {
  const ways = {
    "an event": (token: string) => api.capture(EVENT, token),
    "a decision": (token: string) => api.post("/decide?v=3", { ...EVENT, api_key: token }),
    "a decision for OpenFeature": (token: string) =>
      api.request("POST", "/ofrep/v1/evaluate/flags", { context: {} }, { authorization: `Bearer ${token}` }),
    "the settings of a browser": (token: string) => api.get(`/array/${token}/config`),
    "a list for browsers": (token: string) => api.get(`/api/surveys/?token=${token}`),
    "a stream of flags": (token: string) => api.get(`/flags/stream?token=${token}`),
  }
  const mostWrongKeys = Object.keys(ways).length
  const { api } = ownServer({ WRONG_KEYS_PER_MINUTE: String(mostWrongKeys), TRUST_PROXY: "1" })
  const statusOf = async (way: keyof typeof ways): Promise<number> => (await ways[way](`phc_${randomUUID()}`)).status

  /** Statuses until the first refusal; more than these are not needed even when a minute begins meanwhile. */
  async function askUntilRefused(way: keyof typeof ways): Promise<number[]> {
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 3 * mostWrongKeys) statuses.push(await statusOf(way))
    return statuses
  }

  test("are unknown in every way, until an address has tried too many; known keys go on there", async () => {
    expect((await api.capture(EVENT)).status).toBe(200)
    expect(await statusOf("an event")).toBe(401)
    expect(await statusOf("a decision")).toBe(401)
    expect(await statusOf("a decision for OpenFeature")).toBe(401)
    expect(await statusOf("the settings of a browser")).toBe(404)
    expect(await statusOf("a list for browsers")).toBe(401)
    expect(await statusOf("a stream of flags")).toBe(401)
    for (const way of Object.keys(ways) as (keyof typeof ways)[])
      expect([way, (await askUntilRefused(way)).at(-1)]).toEqual([way, 429])
    expect((await api.capture(EVENT)).status).toBe(200)
    expect((await api.post("/decide?v=3", { ...EVENT, api_key: PROJECT_KEY })).status).toBe(200)
    expect((await api.get<string>("/metrics")).body).toMatch(
      /waymark_refused_total\{reason="wrong_project_keys"\} [1-9]/,
    )
  })

  test("are told, by how they begin, to who sent them from the same address and to who runs the server", async () => {
    const { inviteUser } = await api.changed<{ inviteUser: { personalApiKey: string } }>(
      `mutation { inviteUser(input: { email: "member@a.test", role: MEMBER, keyScopes: [ALL] }) {
        invited { personalApiKey } userErrors { message } } }`,
    )
    const refusedFor = async (key: string, address: string): Promise<unknown> => {
      const query = "{ project { refusedKeys { beginsWith count } } }"
      const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": address }
      const { body } = await api.request<{ data: { project: { refusedKeys: unknown[] } } }>(
        "POST",
        "/graphql",
        { query },
        headers,
      )
      return body.data.project.refusedKeys
    }
    const event = { api_key: "phc_mistyped-and-secret", ...EVENT }
    for (const _ of [1, 2]) await api.request("POST", "/i/v0/e/", event, { "x-forwarded-for": "203.0.113.7" })
    const refused = { beginsWith: "phc_mistyp", count: 2 }
    expect(await refusedFor(inviteUser.personalApiKey, "203.0.113.7")).toEqual([refused])
    expect(await refusedFor(inviteUser.personalApiKey, "203.0.113.8")).toEqual([])
    expect(await refusedFor(PERSONAL_KEY, "203.0.113.8")).toContainEqual(refused)
  })
})
