import { beforeAll, describe, expect, test } from "@jest/globals"
import { PostHog } from "posthog-node"
import { PostHog as PostHog4 } from "posthog-node-4"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"

const { api } = ownServer()

beforeAll(async () => {
  const flags = "/api/projects/@current/feature_flags/"
  const created = await Promise.all([
    api.post(flags, {
      key: "everybody",
      active: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    }),
    api.post(flags, { key: "nobody", active: true, filters: { groups: [{ properties: [], rollout_percentage: 0 }] } }),
    api.post(flags, {
      key: "team-plan",
      active: true,
      filters: {
        groups: [
          { properties: [{ key: "plan", type: "person", operator: "exact", value: "team" }], rollout_percentage: 100 },
        ],
        multivariate: { variants: [{ key: "blue", rollout_percentage: 100 }] },
        payloads: { blue: '{"depth":3}' },
      },
    }),
  ])
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201])
})

/** The calls that both generations share; typed by what the test needs of them. */
interface Sdk {
  capture(message: Record<string, unknown>): void
  identify(message: Record<string, unknown>): void
  alias(message: Record<string, unknown>): void
  groupIdentify(message: Record<string, unknown>): void
  getAllFlags(distinctId: string, options?: Record<string, unknown>): Promise<Record<string, unknown>>
  getAllFlagsAndPayloads(
    distinctId: string,
    options?: Record<string, unknown>,
  ): Promise<{ featureFlagPayloads?: Record<string, unknown> }>
  shutdown(timeoutMs?: number): Promise<void>
}

const generations: [string, string, () => Sdk][] = [
  ["5.70 (gzip, /flags?v=2)", "five", () => new PostHog(PROJECT_KEY, { host: api.url }) as unknown as Sdk],
  ["4.2 (plain JSON, /decide?v=3)", "four", () => new PostHog4(PROJECT_KEY, { host: api.url }) as unknown as Sdk],
]

describe.each(generations)("posthog-node %s", (_name, prefix, createSdk) => {
  const user = `${prefix}-ada`

  test("captures, identifies, aliases and identifies a group; all of it is read back by HogQL, GraphQL and REST", async () => {
    const sdk = createSdk()
    sdk.capture({ distinctId: `${prefix}-anonymous`, event: "page seen", properties: { path: "/Прайс" } })
    sdk.identify({ distinctId: user, properties: { email: `${user}@mail.example`, plan: "team" } })
    sdk.alias({ distinctId: user, alias: `${prefix}-anonymous` })
    sdk.groupIdentify({ groupType: "company", groupKey: `${prefix}-acme`, properties: { name: "Acme ☕" } })
    sdk.capture({
      distinctId: user,
      event: "bought",
      properties: { amount: 12.5 },
      groups: { company: `${prefix}-acme` },
    })
    await sdk.shutdown(10_000)
    await api.drained()

    const bought = await api.hogql(
      `SELECT event, properties.amount, \`$group_0\`, person.properties.email FROM events WHERE distinct_id = '${user}' AND event = 'bought'`,
    )
    expect(bought).toEqual([["bought", expect.anything(), `${prefix}-acme`, `${user}@mail.example`]])
    expect(Number(bought[0]?.[1])).toBe(12.5)

    const persons = await api.hogql(
      `SELECT count(DISTINCT person_id) FROM events WHERE distinct_id IN ('${user}', '${prefix}-anonymous')`,
    )
    expect(persons).toEqual([[1]])

    const { person } = await api.graphql<{ person: { distinctIds: string[]; properties: Record<string, unknown> } }>(
      "query ($distinctId: String!) { person(by: { distinctId: $distinctId }) { distinctIds properties } }",
      { distinctId: `${prefix}-anonymous` },
    )
    expect([...person.distinctIds].sort()).toEqual([user, `${prefix}-anonymous`].sort())
    expect(person.properties).toMatchObject({ email: `${user}@mail.example`, plan: "team" })
  })

  test("gets every flag, decided by the properties it gives and by those it has sent before", async () => {
    const sdk = createSdk()
    expect(await sdk.getAllFlags("somebody-else")).toEqual({ everybody: true, nobody: false, "team-plan": false })
    expect(await sdk.getAllFlags("somebody-else", { personProperties: { plan: "team" } })).toMatchObject({
      "team-plan": "blue",
    })
    await waitFor("the stored plan to count", async () => (await sdk.getAllFlags(user))["team-plan"] === "blue")
    const { featureFlagPayloads } = await sdk.getAllFlagsAndPayloads(user)
    expect(featureFlagPayloads?.["team-plan"]).toEqual({ depth: 3 })
    await sdk.shutdown(10_000)
  })
})
