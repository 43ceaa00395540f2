import { afterEach, beforeAll, describe, expect, test } from "@jest/globals"
import { PostHog } from "posthog-node"
import { PostHog as PostHog4 } from "posthog-node-4"
import { makeKey } from "../support/make-key.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY, PROJECT_KEY } from "../support/waymark-process.js"

type Values = Record<string, unknown>

/** The calls that both generations share; typed by what the test needs of them. */
interface Sdk {
  getAllFlags(distinctId: string, options?: object): Promise<Values>
  reloadFeatureFlags(): Promise<void>
  on(event: "error", listener: (error: Error) => void): void
  shutdown(timeoutMs?: number): Promise<void>
}

/** One request the SDK made. */
interface Exchange {
  readonly path: string
  readonly status: number
}

const FLAGS = "/api/projects/@current/feature_flags/"
const isPlan = (plan: string): object => ({ key: "plan", type: "person", operator: "exact", value: plan })
const share = (percentage: number, ...properties: object[]): object => ({ properties, rollout_percentage: percentage })

const { api } = ownServer()
let halfId: number

const create = async (key: string, filters: object): Promise<number> => {
  const { status, body } = await api.post<{ id: number }>(FLAGS, { key, active: true, filters })
  expect({ key, status }).toEqual({ key, status: 201 })
  return body.id
}

beforeAll(async () => {
  // A group type gets its number when its first group arrives.
  await api.capture({
    event: "$groupidentify",
    distinct_id: "setup",
    properties: { $group_type: "company", $group_key: "acme", $group_set: { tier: "gold" } },
  })
  await api.drained()
  const { cohort } = await api.changed<{ cohort: { id: string } }>(
    `mutation ($input: CreateCohortInput!) {
      cohort: createCohort(input: $input) { cohort { id: number } userErrors { message } } }`,
    {
      input: {
        name: "Proffs",
        filters: { raw: { properties: { type: "OR", values: [isPlan("pro"), isPlan("team")] } } },
      },
    },
  )
  halfId = await create("half", { groups: [share(50)] })
  const splitId = await create("split", {
    groups: [share(90)],
    multivariate: { variants: ["röd", "blå", "grön"].map((key) => ({ key, rollout_percentage: 30 })) },
    payloads: { röd: '{"depth":3}', blå: "[1]" },
  })
  await create("in-cohort", {
    groups: [share(70, { key: "id", type: "cohort", operator: "in", value: Number(cohort.id) })],
  })
  await create("on-red", {
    groups: [share(100, { key: String(splitId), type: "flag", operator: "flag_evaluates_to", value: "röd" })],
  })
  await create("per-company", {
    aggregation_group_type_index: 0,
    groups: [share(100, { key: "tier", type: "group", group_type_index: 0, operator: "exact", value: "gold" })],
  })
})

/** What a test opened is closed after it, also when it fails. */
const opened: { shutdown(timeoutMs?: number): Promise<void> }[] = []
const closing = <T extends (typeof opened)[number]>(sdk: T): T => {
  opened.push(sdk)
  return sdk
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sdk) => sdk.shutdown(10_000)))
})

interface Generation {
  readonly version: string
  readonly definitionsPath: string
  readonly SdkClass: new (key: string, options: object) => Sdk
  /** Flags it can decide by itself: only newer ones know of flags that depend on others. */
  readonly ownFlags: readonly string[]
  /** Begins the ids it is asked about; old releases hash the low bytes of a text instead of its UTF-8. */
  readonly idPrefix: string
  /** Statuses of a refused key that it tells its user about. */
  readonly reported: readonly number[]
}

const generations: readonly Generation[] = [
  {
    version: "5.70",
    definitionsPath: "/flags/definitions",
    SdkClass: PostHog as unknown as Generation["SdkClass"],
    ownFlags: ["half", "in-cohort", "on-red", "per-company", "split"],
    idPrefix: "użytkownik",
    reported: [401, 403],
  },
  {
    version: "4.2",
    definitionsPath: "/api/feature_flag/local_evaluation",
    SdkClass: PostHog4 as unknown as Generation["SdkClass"],
    ownFlags: ["half", "in-cohort", "per-company", "split"],
    idPrefix: "user",
    reported: [401],
  },
]

describe.each(generations)("posthog-node $version", ({ definitionsPath, SdkClass, ownFlags, idPrefix, reported }) => {
  const open = (personalApiKey?: string): { sdk: Sdk; exchanges: Exchange[]; errors: string[] } => {
    const exchanges: Exchange[] = []
    const errors: string[] = []
    const options = {
      host: api.url,
      ...(personalApiKey && { personalApiKey }),
      fetch: async (url: string, request: RequestInit) => {
        const answer = await fetch(url, request)
        exchanges.push({ path: new URL(url).pathname.replace(/\/$/, ""), status: answer.status })
        return answer
      },
    }
    const sdk = closing(new SdkClass(PROJECT_KEY, options))
    sdk.on("error", (error) => errors.push(error.message))
    return { sdk, exchanges, errors }
  }

  const callers = Array.from({ length: 40 }, (_, index) => ({
    distinctId: `${idPrefix}-${index}`,
    options: {
      disableGeoip: true,
      personProperties: { plan: ["free", "pro", "team"][index % 3] },
      ...(index % 4 !== 0 && {
        groups: { company: "acme" },
        groupProperties: { company: { tier: index % 8 === 1 ? "silver" : "gold" } },
      }),
    },
  }))

  test("decides by itself what the server decides for it", async () => {
    const remote = open()
    const local = open(PERSONAL_KEY)
    await local.sdk.reloadFeatureFlags()
    const seen = new Map<string, Set<unknown>>()
    for (const { distinctId, options } of callers) {
      const decidedHere = await local.sdk.getAllFlags(distinctId, { ...options, onlyEvaluateLocally: true })
      const decidedThere = await remote.sdk.getAllFlags(distinctId, options)
      const comparable = Object.fromEntries(ownFlags.map((key) => [key, decidedThere[key]]))
      expect({ distinctId, flags: decidedHere }).toEqual({ distinctId, flags: comparable })
      for (const [key, value] of Object.entries(decidedHere)) seen.set(key, (seen.get(key) ?? new Set()).add(value))
    }
    expect([...seen].filter(([, values]) => values.size < 2)).toEqual([])
    expect(local.exchanges.map(({ path }) => path)).toEqual(local.exchanges.map(() => definitionsPath))
    expect(remote.exchanges.every(({ path, status }) => status === 200 && path !== definitionsPath)).toBe(true)
  })

  test("decides by itself with a secret key of the project instead of somebody's personal key", async () => {
    const { key } = await api.changed<{ key: { id: string; value: string } }>(
      "mutation { key: createProjectSecretKey { projectSecretKey { id value } userErrors { message } } }",
    )
    const { sdk, exchanges } = open(key.value)
    await sdk.reloadFeatureFlags()
    const flags = await sdk.getAllFlags("user-1", { onlyEvaluateLocally: true })
    expect(Object.keys(flags)).toContain("half")
    expect(exchanges).toContainEqual({ path: definitionsPath, status: 200 })
    await api.changed("mutation ($id: ID!) { revokeProjectSecretKey(input: { id: $id }) { userErrors { message } } }", {
      id: key.id,
    })
  })

  test("sees a change of a flag with its next poll", async () => {
    const { sdk } = open(PERSONAL_KEY)
    const half = async () => {
      await sdk.reloadFeatureFlags()
      return (await sdk.getAllFlags("user-1", { onlyEvaluateLocally: true })).half
    }
    const { body } = await api.get<{ version: number }>(`${FLAGS}${halfId}/`)
    for (const percentage of [0, 100, 50]) {
      const changed = await api.patch(`${FLAGS}${halfId}/`, { filters: { groups: [share(percentage)] } })
      expect(changed.status).toBe(200)
      if (percentage !== 50) await waitFor("the change", async () => (await half()) === (percentage === 100))
    }
    expect((await api.get<{ version: number }>(`${FLAGS}${halfId}/`)).body.version).toBeGreaterThan(body.version)
  })

  test("is told which key is wrong, and decides nothing with it", async () => {
    const narrow = await makeKey(api, ["query:read"])
    for (const [key, status] of [
      ["phx_wrong", 401],
      [narrow.value, 403],
    ] as const) {
      const { sdk, exchanges, errors } = open(key)
      await sdk.reloadFeatureFlags()
      expect(exchanges).toContainEqual({ path: definitionsPath, status })
      expect(errors.some((error) => error.includes("key"))).toBe(reported.includes(status))
      expect(await sdk.getAllFlags("user-1", { onlyEvaluateLocally: true })).toEqual({})
    }
  })
})

describe("posthog-node 5.70", () => {
  test("is sent unchanged definitions once only", async () => {
    const statuses: number[] = []
    const sdk = closing(
      new PostHog(PROJECT_KEY, {
        host: api.url,
        personalApiKey: PERSONAL_KEY,
        fetch: async (url, options) => {
          const answer = await fetch(url, options as RequestInit)
          statuses.push(answer.status)
          return answer as never
        },
      }),
    )
    await waitFor("the first load", () => sdk.isLocalEvaluationReady())
    await sdk.reloadFeatureFlags()
    await sdk.reloadFeatureFlags()
    expect(statuses).toEqual([200, 304, 304])
  })

  test("gets payloads parsed, whoever decides", async () => {
    const sdk = closing(new PostHog(PROJECT_KEY, { host: api.url, personalApiKey: PERSONAL_KEY }))
    await sdk.reloadFeatureFlags()
    const payloads = new Set<unknown>()
    for (let user = 0; user < 10; user++) {
      const ask = async (onlyEvaluateLocally: boolean) =>
        (
          await sdk.getAllFlagsAndPayloads(`user-${user}`, {
            personProperties: { plan: "free" },
            flagKeys: ["split"],
            onlyEvaluateLocally,
            disableGeoip: true,
          })
        ).featureFlagPayloads
      const here = await ask(true)
      expect(here).toEqual(await ask(false))
      payloads.add(JSON.stringify(here))
    }
    expect(payloads).toEqual(new Set(["{}", '{"split":[1]}', '{"split":{"depth":3}}']))
  })

  test("gets the payload of a remote configuration", async () => {
    const created = await api.post(FLAGS, {
      key: "limits",
      active: true,
      is_remote_configuration: true,
      filters: { groups: [{}], payloads: { true: '{"perMinute":60}' } },
    })
    expect(created.status).toBe(201)
    const sdk = closing(new PostHog(PROJECT_KEY, { host: api.url, personalApiKey: PERSONAL_KEY }))
    expect(await sdk.getRemoteConfigPayload("limits")).toEqual({ perMinute: 60 })
  })
})
