import { expect, test } from "@jest/globals"
import { isJsonObject, type Json, type JsonObject } from "../../../../src/kernel/json.js"
import type { CaptureCaseServer } from "../../../support/capture-case-server.js"
import { captureCases, type HttpCase } from "./case-files.js"

interface Captured {
  readonly accepted: number
  readonly dropped: readonly { readonly index: number; readonly reason: string }[]
}

interface CaptureAnswer {
  readonly data: { readonly captureBatch: { readonly captured: Captured } | null } | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

const OPERATION = `mutation ($input: CaptureBatchInput!) {
  captureBatch(input: $input) {
    captured { accepted dropped { index reason } warnings { index reason } } userErrors { message } } }`

/** The events of a body that GraphQL can write: named by a text, with a text or nothing as user. */
function toInput(body: Json | undefined): JsonObject | null {
  const envelope = isJsonObject(body ?? null) ? (body as JsonObject) : null
  const items = Array.isArray(body) ? body : Array.isArray(envelope?.batch) ? envelope.batch : [body as Json]
  const events = items.map(toEvent)
  const key = [envelope, ...items].map(keyOf).find((one) => one !== null)
  if (key === undefined || events.length === 0 || events.includes(null)) return null
  return { apiKey: key, batch: events as Json[], historicalMigration: envelope?.historical_migration === true }
}

function toEvent(item: Json): JsonObject | null {
  if (!isJsonObject(item) || typeof item.event !== "string") return null
  const { event, distinct_id: distinctId = null, properties = null, timestamp = null, uuid = null } = item
  if (distinctId !== null && typeof distinctId !== "string") return null
  return { event, distinctId, properties, timestamp, uuid }
}

function keyOf(holder: Json): string | null {
  if (!isJsonObject(holder)) return null
  const key = holder.api_key ?? holder.token ?? holder.$token
  return typeof key === "string" ? key : null
}

/** Cases whose rule is about events or keys rather than about bytes, paths and headers. */
const sample = (): readonly (HttpCase & { readonly input: JsonObject })[] =>
  captureCases().flatMap((one) => {
    if (one.kind !== "http" || !("request" in one) || one.given !== undefined) return []
    const { method, path, json } = one.request
    // One envelope has one key; two of them cannot be written.
    if (method !== "POST" || !/^\/(i\/v0\/e|batch)/.test(path) || one.id === "CAP-031") return []
    const input = toInput(json)
    return input === null ? [] : [{ ...one, input }]
  })

/** The http cases that GraphQL can express, sent as `captureBatch` and read back by GraphQL and HogQL. */
export function runGraphqlCaptureCases(server: CaptureCaseServer): void {
  const send = async (input: JsonObject): Promise<CaptureAnswer> =>
    (await server.api.post<CaptureAnswer>("/graphql", { query: OPERATION, variables: { input } })).body

  test.each(sample())("$id: $title", async ({ input, expect: wanted = {}, upstream, recommended }) => {
    await server.setSettings({})
    const driver = server.createDriver()
    const { data, errors } = await send(input)
    const stored = await driver.stored()
    const { status, text_contains: fragment } = recommended ?? upstream
    if (status === 401) {
      expect([data, errors?.[0]?.extensions.code]).toEqual([{ captureBatch: null }, "UNAUTHENTICATED"])
      expect(errors?.[0]?.message).toContain(fragment)
      expect(stored).toEqual([])
      return
    }
    expect(errors).toBeUndefined()
    const count = recommended?.stored_count ?? wanted.stored_count
    if (count !== undefined) expect([data?.captureBatch?.captured.accepted, stored.length]).toEqual([count, count])
    if (wanted.order !== undefined) expect(stored.map(({ event }) => event)).toEqual(wanted.order)
    for (const [index, { event, distinct_id: distinctId }] of (wanted.stored ?? []).entries())
      expect(stored[index]).toMatchObject({ ...(event && { event }), ...(distinctId && { distinctId }) })
  })

  test("a person that captureBatch made is read by GraphQL, and what was dropped is told by position", async () => {
    const distinctId = `graphql-${crypto.randomUUID()}`
    const batch: JsonObject[] = [
      { event: "$identify", distinctId, properties: { $set: { plan: "pro" } } },
      { event: "", distinctId },
      { event: "e", properties: { distinct_id: distinctId }, uuid: "not-a-uuid" },
      { event: "e", properties: [1] },
    ]
    const { data } = await send({ apiKey: "phc_test", batch })
    expect(data?.captureBatch?.captured).toEqual({
      accepted: 1,
      dropped: [
        { index: 1, reason: "MISSING_EVENT_NAME" },
        { index: 2, reason: "INVALID_UUID" },
        { index: 3, reason: "INVALID_PROPERTIES" },
      ],
      warnings: [],
    })
    await server.api.drained()
    const { person } = await server.api.graphql<{ person: JsonObject }>(
      "query ($distinctId: String!) { person(by: { distinctId: $distinctId }) { distinctIds properties } }",
      { distinctId },
    )
    expect(person).toMatchObject({ distinctIds: [distinctId], properties: { plan: "pro" } })
  })

  test("one event goes by the mutation capture, and an unknown key is refused as over REST", async () => {
    const capture = async (apiKey: string) =>
      (
        await server.api.post<CaptureAnswer>("/graphql", {
          query: `mutation ($apiKey: String!) {
              capture(input: { apiKey: $apiKey, event: "single", distinctId: "u" }) {
                captured { accepted } userErrors { message } } }`,
          variables: { apiKey },
        })
      ).body
    expect(await capture("phc_test")).toMatchObject({ data: { capture: { captured: { accepted: 1 } } } })
    expect(await capture("phc_nobody000000000000000000000000")).toMatchObject({
      data: { capture: null },
      errors: [{ extensions: { code: "UNAUTHENTICATED" } }],
    })
  })

  test.each<[what: string, input: JsonObject]>([
    ["no key", { batch: [] }],
    ["no batch", { apiKey: "phc_test" }],
    ["an event without a name", { apiKey: "phc_test", batch: [{ distinctId: "u" }] }],
    ["a name that is no text", { apiKey: "phc_test", batch: [{ event: 5, distinctId: "u" }] }],
    ["an unknown field", { apiKey: "phc_test", batch: [{ event: "e", distinctId: "u", team_id: 2 }] }],
  ])("%s is refused by the schema and stores nothing", async (_what, input) => {
    const { data = null, errors } = await send(input)
    expect(data).toBeNull()
    expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT")
  })
}
