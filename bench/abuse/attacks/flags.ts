import { randomBytes } from "node:crypto"
import type { Attack } from "../attack.types.js"
import type { Attacker } from "../attacker.js"

const CREATE = `mutation ($input: CreateFeatureFlagInput!) {
  createFeatureFlag(input: $input) { featureFlag { number } userErrors { message } } }`
const UPDATE = `mutation ($input: UpdateFeatureFlagInput!) {
  updateFeatureFlag(input: $input) { featureFlag { number } userErrors { message } } }`

interface Created {
  readonly createFeatureFlag: { readonly featureFlag: { readonly number: number } }
}

interface Filter {
  readonly key: string
  readonly operator: string
  readonly value: unknown
}

/** Creates a flag whose conditions hold one filter each. */
async function createFlag(attacker: Attacker, key: string, filters: readonly Filter[]): Promise<string> {
  const groups = filters.map((filter) => ({ properties: [{ type: "person", ...filter }], rollout_percentage: 100 }))
  const input = { key, active: true, filters: { raw: { groups } } }
  const variables = { input: { projectId: attacker.tenant.projectId, ...input } }
  const { createFeatureFlag } = await attacker.graphql<Created>(CREATE, variables)
  return String(createFeatureFlag.featureFlag.number)
}

async function createManyFlags(attacker: Attacker, howMany: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < howMany; index++)
    ids.push(
      await createFlag(attacker, `flag-${index}`, [{ key: "plan", operator: "exact", value: ["team", `${index}`] }]),
    )
  return ids
}

/** Asks for decisions over and over, each time about a person with what `propertiesOf` gives. */
const decide = (attacker: Attacker, signal: AbortSignal, parallel: number, propertiesOf: () => object): Promise<void> =>
  attacker.repeat(parallel, signal, () => {
    const asked = { api_key: attacker.tenant.projectKey, distinct_id: "a", person_properties: propertiesOf() }
    return attacker.send({ path: "/flags?v=2", body: JSON.stringify(asked) }, signal)
  })

/** Nearly every character leads to a state that the engine has not met before. */
const HEAVY_PATTERNS = Array.from({ length: 10 }, (_, index) => `(?:a|b)*a(?:a|b){${600 - index}}[yz]`)
/** About the longest that is matched with a pattern of that size. */
const LONG_TEXT_CHARACTERS = 6_500
const randomText = (): string =>
  Buffer.from(randomBytes(LONG_TEXT_CHARACTERS).map((byte) => 97 + (byte % 2))).toString("latin1")
const LISTED = 10_000
const LARGE_TEXT = "needle ".repeat(130_000)
const MANY_FLAGS = 1_000
const updates = { ids: [] as string[] }

/** Flags whose evaluation takes the event loop, which all projects share. */
export const FLAG_ATTACKS: readonly Attack[] = [
  {
    name: "regex-flag",
    needs: "project key",
    what: "Two clients ask for decisions on a flag of ten conditions, each a pattern of 600 states, with a text of 6.5 kB.",
    prepare: async (attacker) => {
      const filters = HEAVY_PATTERNS.map((value) => ({ key: "text", operator: "regex", value }))
      await createFlag(attacker, "heavy", filters)
    },
    run: (attacker, signal) => decide(attacker, signal, 2, () => ({ text: randomText() })),
  },
  {
    name: "long-lists",
    needs: "project key",
    what: "Two clients ask for decisions on flags that look for 10,000 texts each in a text of 900 kB.",
    prepare: async (attacker) => {
      const value = Array.from({ length: LISTED }, (_, index) => `needle ${index}`)
      for (let flag = 0; flag < 5; flag++)
        await createFlag(attacker, `list-${flag}`, [{ key: "text", operator: "icontains_multi", value }])
    },
    run: (attacker, signal) => decide(attacker, signal, 2, () => ({ text: LARGE_TEXT })),
  },
  {
    name: "many-flags",
    needs: "project key",
    what: "16 clients ask for decisions on 1,000 flags.",
    prepare: async (attacker) => void (await createManyFlags(attacker, MANY_FLAGS)),
    run: (attacker, signal) => decide(attacker, signal, 16, () => ({ plan: "team" })),
  },
  {
    name: "flag-edits",
    needs: "personal key",
    what: "Eight clients change one of 1,000 flags after the other.",
    prepare: async (attacker) => {
      updates.ids = await createManyFlags(attacker, MANY_FLAGS)
    },
    run: (attacker, signal) =>
      attacker.repeat(8, signal, (index) => {
        const input = { active: index % 2 === 0 }
        const id = updates.ids[index % MANY_FLAGS]
        const variables = { input: { projectId: attacker.tenant.projectId, id, ...input } }
        const body = JSON.stringify({ query: UPDATE, variables })
        return attacker.send({ path: "/graphql", headers: attacker.bearer, body }, signal)
      }),
  },
]
