import { createDecideService, type DecideInput } from "../../../../src/features/flags/decide/decide.service.js"
import { createFactReader } from "../../../../src/features/flags/decide/fact-budget.js"
import type { DecideProject, StoredPerson } from "../../../../src/features/flags/flags.types.js"
import { asProjectId } from "../../../../src/kernel/ids.js"
import type { Json, JsonObject } from "../../../../src/kernel/json.js"
import { type RulesSketch, rulesOf } from "../../../flag-engine/flag-builders.js"
import { createManualClock } from "../../../support/manual-clock.js"

export const TOKEN = "phc_TEST"
export const REQUEST_ID = "8b8cdb4f-5d6f-4a0f-9b5e-6a1f8f2c0c11"
const PROJECT: DecideProject = { projectId: asProjectId(1), token: TOKEN, settings: {} }

/** What the stores behind a decision hold in a test, and which of them are down. */
export interface DecideWorld {
  persons: Map<string, StoredPerson>
  staticCohorts: Map<string, Set<number>>
  groups: Map<string, JsonObject>
  hashKeys: Map<string, Map<string, string>>
  /** Types that are newer than the rules. */
  newGroupTypes: Map<string, number> | (() => Promise<Map<string, number>>)
  location: Record<string, string> | null
  isQuotaExceeded: boolean
  /** Requests counted so far. */
  counted: number
  /** Id that every visitor without cookies has. */
  visitorId: string
  /** Every read of a store, by name. */
  reads: string[]
  failing: Set<string>
}

/** A decision endpoint over stores in memory. */
export function createDecideHarness(rules: RulesSketch) {
  const compiled = rulesOf(rules)
  const world: DecideWorld = {
    persons: new Map(),
    staticCohorts: new Map(),
    groups: new Map(),
    hashKeys: new Map(),
    newGroupTypes: new Map(),
    location: null,
    isQuotaExceeded: false,
    counted: 0,
    visitorId: "cookieless_visitor",
    reads: [],
    failing: new Set(),
  }
  const clock = createManualClock(Date.parse("2026-03-01T12:00:00Z"))
  const read = <T>(name: string, answer: () => T): Promise<T> => {
    world.reads.push(name)
    return world.failing.has(name) ? Promise.reject(new Error(`${name} is down`)) : Promise.resolve(answer())
  }
  const service = createDecideService({
    projects: { findByKey: (token) => (token === TOKEN ? PROJECT : null) },
    rules: { rulesFor: () => compiled },
    facts: {
      persons: {
        person: (_, id) => read("person", () => world.persons.get(id) ?? null),
        staticCohortIds: (_, id) => read("cohorts", () => world.staticCohorts.get(id) ?? new Set<number>()),
      },
      groups: {
        newGroupTypes: () => world.newGroupTypes,
        groupProperties: (_, groups) =>
          read("groups", () => {
            const found = groups.map(
              ({ groupTypeIndex, key }) => [groupTypeIndex, world.groups.get(`${groupTypeIndex}:${key}`)] as const,
            )
            return new Map(
              found.flatMap(([index, properties]) => (properties === undefined ? [] : [[index, properties] as const])),
            )
          }),
      },
      hashKeys: {
        read: (_, ids) =>
          read("hashKeys", () => new Map([...ids].reverse().flatMap((id) => [...(world.hashKeys.get(id) ?? [])]))),
        write: (_, ids, keys) =>
          read("writeHashKeys", () => {
            for (const id of ids) world.hashKeys.set(id, new Map([...keys, ...(world.hashKeys.get(id) ?? [])]))
          }),
      },
      reader: createFactReader(clock, 1_000),
    },
    toVisitorId: () => read("visitor", () => world.visitorId),
    rateLimit: { take: () => undefined },
    quota: {
      isExceeded: () => world.isQuotaExceeded,
      count: (_, weight) => {
        world.counted += weight
      },
      usage: () => ({ month: "2026-03", used: world.counted, limit: null }),
    },
    geoIp: { lookUp: () => world.location },
    clock,
    newUuid: () => REQUEST_ID,
  })

  /** Asks with query text such as `v=3`; answers the body. */
  const ask = async (body: Json | undefined, query = "v=3", more: Partial<DecideInput> = {}): Promise<JsonObject> => {
    const answer = await service.decide({
      path: "decide",
      query: Object.fromEntries(new URLSearchParams(query)),
      body,
      headers: {},
      clientIp: "127.0.0.1",
      senderIp: "127.0.0.1",
      requestId: "",
      ...more,
    })
    return JSON.parse(answer)
  }
  const askFor = (caller: JsonObject, query?: string, more?: Partial<DecideInput>) =>
    ask({ api_key: TOKEN, distinct_id: "u", ...caller }, query, more)
  return { world, clock, service, ask, askFor }
}

export const EVERYBODY: Json = { groups: [{ properties: [], rollout_percentage: 100 }] }
export const NOBODY: Json = { groups: [{ properties: [], rollout_percentage: 0 }] }

/** A condition at 100 % on one property. */
export const when = (key: string, value: Json, more: JsonObject = {}): Json => ({
  groups: [{ properties: [{ key, type: "person", operator: "exact", value, ...more }], rollout_percentage: 100 }],
})
