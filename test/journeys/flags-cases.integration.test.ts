import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, test } from "@jest/globals"
import { isJsonObject, type Json, type JsonObject } from "../../src/kernel/json.js"
import { readCases } from "../flag-engine/flag-builders.js"
import { createFlagProject, type FlagProject, sendRaw } from "../support/flag-projects.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PROJECT_KEY } from "../support/waymark-process.js"
import { wholeDecision } from "../support/whole-decision.js"

const { api } = ownServer()
const EVERYBODY = { groups: [{ properties: [], rollout_percentage: 100 }] }
/** Statuses of every answer of this file; none may be a 5xx. */
const statuses: number[] = []

interface Detail {
  readonly enabled: boolean
  readonly variant: string | null
  readonly reason: { readonly code: string; readonly condition_index: number | null }
  readonly metadata: { readonly payload: Json }
}

async function save({ id }: FlagProject, flag: JsonObject) {
  const answer = await api.post<JsonObject>(`/api/projects/${id}/feature_flags/`, { active: true, ...flag })
  statuses.push(answer.status)
  return answer
}

async function decide({ token }: FlagProject, body: JsonObject): Promise<Record<string, Detail>> {
  const asked = { api_key: token, distinct_id: "u", geoip_disable: true, ...body }
  return (await wholeDecision<{ flags: Record<string, Detail> }>(api, asked, "/decide?v=4")).flags
}

const needsBacktracking = ({ operator, value }: JsonObject): boolean =>
  String(operator).endsWith("regex") && /\(\?<?[=!]|\\\d/.test(String(value))

describe("property-match.json over HTTP", () => {
  interface PropertyCase {
    readonly id: number
    readonly property: JsonObject
    readonly properties: JsonObject
    readonly expected: boolean
    readonly team_timezone?: string
    readonly now?: string
  }
  // Rows with a clock of their own run through the pure evaluator alone: nobody sets the clock of a server.
  const cases = readCases<{ cases: PropertyCase[] }>("property-match").cases.filter((one) => one.now === undefined)

  test.each(["UTC", "America/Los_Angeles"])("every row for a project in %s decides as expected", async (timezone) => {
    const rows = cases.filter((one) => (one.team_timezone ?? "UTC") === timezone)
    const project = await createFlagProject(api, `properties ${timezone}`, timezone)
    // One after the other: a busy machine refuses hundreds of writes at one time, and that is not what is tested.
    const saved: Awaited<ReturnType<typeof save>>[] = []
    for (const { id, property } of rows) {
      const filters = { groups: [{ properties: [property], rollout_percentage: 100 }] }
      saved.push(await save(project, { key: `row-${id}`, filters }))
    }
    const wrong: unknown[] = []
    for (const [index, one] of rows.entries()) {
      const { status, body } = saved[index] as Awaited<ReturnType<typeof save>>
      const key = `row-${one.id}`
      const wanted = one.expected && !needsBacktracking(one.property)
      if (status === 400) {
        // What can never hold may be refused when it is saved, with the field named.
        if (wanted || !String(body.attr).startsWith("filters__groups__0__properties__0")) wrong.push([key, body])
        continue
      }
      const flags = await decide(project, { flag_keys: [key], person_properties: one.properties })
      if (status !== 201 || flags[key]?.enabled !== wanted) wrong.push([one, status, flags[key]])
    }
    expect(wrong).toEqual([])
  })
})

describe("flag-evaluation.json over HTTP", () => {
  interface EvaluationCase {
    readonly id: string
    readonly definitions: { readonly flags: JsonObject[]; readonly group_type_mapping?: Record<string, string> }
    readonly context: JsonObject
    readonly expected: {
      readonly flags: Record<string, Pick<Detail, "enabled" | "variant" | "reason"> & { payload: Json }>
      readonly omitted_flags: string[]
    }
  }
  const { cases } = readCases<{ cases: EvaluationCase[] }>("flag-evaluation")

  test.each(cases.map((one) => [one.id, one] as const))("%s", async (id, { definitions, context, expected }) => {
    const project = await createFlagProject(api, id)
    for (const type of Object.values(definitions.group_type_mapping ?? {})) await addGroupType(project, type)
    for (const { id: _id, version: _version, ...flag } of definitions.flags) {
      // The holdout editor does not exist here; the stored form is what matters.
      expect(await save(project, flag)).toMatchObject({ status: 201 })
    }
    const flags = await decide(project, context)
    for (const [key, { enabled, variant, payload, reason }] of Object.entries(expected.flags)) {
      expect(flags[key]).toMatchObject({ enabled, variant, reason, metadata: { payload } })
    }
    for (const key of expected.omitted_flags) expect(flags).not.toHaveProperty([key])
  })

  async function addGroupType(project: FlagProject, type: string): Promise<void> {
    const properties = { $group_type: type, $group_key: "first", $group_set: {} }
    await api.capture({ event: "$groupidentify", distinct_id: "g", properties }, project.token)
    await waitFor("the group type to reach the rules", async () => {
      const { body } = await api.get<{ group_type_mapping: JsonObject }>(`/flags/definitions?token=${project.token}`)
      return Object.values(body.group_type_mapping).includes(type)
    })
  }
})

describe("hash-and-bucketing.json over HTTP", () => {
  interface HashVector {
    readonly id: string
    readonly prefix: string
    readonly identifier: string
    readonly salt: string
    readonly hash01: number
    readonly rollout_checks: { rollout_percentage: number; included: boolean }[]
  }
  const vectors = readCases<{ hash_vectors: HashVector[] }>("hash-and-bucketing").hash_vectors
  const keyOf = ({ prefix }: HashVector): string => prefix.replace(/\.$/, "")

  test.each(vectors.filter(({ id }) => id.startsWith("hash.rollout")))("$id", async (vector) => {
    for (const { rollout_percentage, included } of vector.rollout_checks) {
      const project = await createFlagProject(api, vector.id)
      const filters = { groups: [{ properties: [], rollout_percentage }] }
      expect((await save(project, { key: keyOf(vector), filters })).status).toBe(201)
      const flags = await decide(project, { distinct_id: vector.identifier })
      expect(flags[keyOf(vector)]?.enabled).toBe(included)
    }
  })

  test.each(vectors.filter(({ salt }) => salt === "variant"))(
    "$id: the hash lies between two variants",
    async (vector) => {
      const project = await createFlagProject(api, vector.id)
      const below = Math.floor(vector.hash01 * 10_000) / 100
      const shares = [below, 0.01, 100 - below - 0.01]
      const variants = shares.map((share, index) => ({ key: `v${index}`, rollout_percentage: share }))
      expect(
        (await save(project, { key: keyOf(vector), filters: { ...EVERYBODY, multivariate: { variants } } })).status,
      ).toBe(201)
      expect((await decide(project, { distinct_id: vector.identifier }))[keyOf(vector)]?.variant).toBe("v1")
    },
  )

  test.each(vectors.filter(({ prefix }) => prefix === "holdout-"))("$id", async (vector) => {
    for (const { rollout_percentage, included } of vector.rollout_checks) {
      const project = await createFlagProject(api, vector.id)
      const holdout = { id: 7, exclusion_percentage: rollout_percentage }
      expect((await save(project, { key: "held", filters: { ...EVERYBODY, holdout } })).status).toBe(201)
      const flags = await decide(project, { distinct_id: vector.identifier })
      expect(flags.held?.variant).toBe(included ? "holdout-7" : null)
    }
  })
})

describe("dependency-values.json and relative-dates.json over HTTP", () => {
  interface DependencyCase {
    readonly expected_value: Json
    readonly flag_value: boolean | string
    readonly matches: boolean
  }
  const dependencies = readCases<{ cases: DependencyCase[] }>("dependency-values").cases

  test.each(dependencies)("expecting $expected_value of $flag_value is $matches", async (one) => {
    const project = await createFlagProject(api, "dependency")
    const { flag_value: value } = one
    // A flag cannot have an empty variant, so that value stands for a flag that is off.
    const variants = typeof value === "string" && value !== "" ? [{ key: value, rollout_percentage: 100 }] : []
    const rollout_percentage = value === false || value === "" ? 0 : 100
    const filters = { groups: [{ properties: [], rollout_percentage }], multivariate: { variants } }
    const first = await save(project, { key: "first", filters })
    const filter = {
      key: String(first.body.id),
      type: "flag",
      operator: "flag_evaluates_to",
      value: one.expected_value,
    }
    const second = await save(project, { key: "second", filters: { groups: [{ properties: [filter] }] } })
    if (second.status === 400) {
      expect([one.matches, second.body.attr]).toEqual([false, "filters__groups__0__properties__0__value"])
      return
    }
    expect((await decide(project, {})).second?.enabled).toBe(one.matches)
  })

  test("a relative date moves with the present; what is none holds for nobody", async () => {
    const { cases } = readCases<{ cases: { input: string; server: string | null }[] }>("relative-dates")
    const project = await createFlagProject(api, "relative dates")
    const inputs = [...new Set(cases.map(({ input }) => input))].filter((input) => Number.isNaN(Date.parse(input)))
    for (const [index, input] of inputs.entries()) {
      const properties = [{ key: "at", type: "person", operator: "is_date_before", value: input }]
      await save(project, { key: `date-${index}`, filters: { groups: [{ properties }] } })
    }
    const long = await decide(project, { person_properties: { at: "1990-01-01" } })
    const ahead = await decide(project, { person_properties: { at: new Date(Date.now() + 60_000).toISOString() } })
    for (const [index, input] of inputs.entries()) {
      const isRelative = cases.find((one) => one.input === input)?.server !== null
      expect([input, long[`date-${index}`]?.enabled, ahead[`date-${index}`]?.enabled]).toEqual([
        input,
        isRelative,
        false,
      ])
    }
  })
})

describe("request-decoding.json over HTTP", () => {
  interface DecodingCase {
    readonly id: string
    readonly query?: string
    readonly content_type?: string
    readonly body?: Json
    readonly body_text?: string
    readonly body_gzip_of?: Json
    readonly status?: number
    readonly flags_empty?: boolean
    readonly normalized?: JsonObject
  }
  const { cases } = readCases<{ cases: DecodingCase[] }>("request-decoding")
  const withKey = (text: string): string => text.replaceAll('"phc_test"', JSON.stringify(PROJECT_KEY))
  const bytesOf = ({ body, body_text: text, body_gzip_of: zipped }: DecodingCase): string | Buffer => {
    if (zipped !== undefined) return gzipSync(withKey(JSON.stringify(zipped)))
    if (text === undefined) return withKey(JSON.stringify(body))
    if (!text.startsWith("eyJ")) return text
    const inner = Buffer.from(decodeURIComponent(text), "base64")
      .toString()
      .replace('"test"', JSON.stringify(PROJECT_KEY))
    return encodeURIComponent(Buffer.from(inner).toString("base64"))
  }

  test.each(cases.map((one) => [one.id, one] as const))("%s", async (_, one) => {
    const path = `/decide?v=3${one.query === undefined ? "" : `&${one.query}`}`
    const headers = { "content-type": one.content_type ?? "application/json" }
    const answer = await sendRaw(api.url, path, { headers, body: bytesOf(one) })
    statuses.push(answer.status)
    expect(answer.status).toBe(one.status ?? 200)
    const body = JSON.parse(answer.text) as JsonObject
    if (answer.status === 200) expect(isJsonObject(body.featureFlags)).toBe(true)
    else expect(Object.keys(body)).toEqual(expect.arrayContaining(["type", "code", "detail", "attr"]))
    if (one.flags_empty === true) expect(body.featureFlags).toEqual({})
  })
})

describe("hostile requests and definitions over HTTP", () => {
  interface HostileBody {
    readonly id: string
    readonly path: string
    readonly pathOverride?: string
    readonly body: Json
    readonly expect: string
    readonly method?: string
    readonly headers?: Record<string, string>
  }
  const bodies = readCases<{ entries: HostileBody[] }>("hostile-decide-bodies").entries
  let project: FlagProject
  beforeAll(async () => {
    project = await createFlagProject(api, "hostile")
    await save(project, { key: "healthy", filters: EVERYBODY })
  })

  test.each(bodies.map((one) => [one.id, one] as const))("%s", async (_, one) => {
    const generated = isJsonObject(one.body) && isJsonObject(one.body.generator)
    const keys = Array.from({ length: 10_000 }, (_unused, index) => [`key-${index}`, index])
    const body = generated
      ? { api_key: project.token, distinct_id: "u", person_properties: Object.fromEntries(keys) }
      : one.body
    const text = JSON.stringify(body).replaceAll('"phc_TEST"', JSON.stringify(project.token))
    const headers = { "content-type": "application/json", ...asBytes(one.headers ?? {}) }
    const method = one.method ?? "POST"
    const sent = method === "POST" ? { method, headers, body: text } : { method, headers }
    const answer = await sendRaw(api.url, one.pathOverride ?? one.path, sent)
    statuses.push(answer.status)
    expect(answer.status).toBeLessThan(500)
    if (one.expect === "200") expect(answer.status).toBe(200)
    if (one.expect === "4xx") expect(answer.status).toBeGreaterThanOrEqual(400)
    // GET is answered without evaluating (docs/contract/flags.md#decision-paths).
    if (one.expect === "405") expect(answer.status).toBe(method === "GET" ? 200 : 405)
    if (answer.status === 200 && method === "POST") {
      expect(answer.text).toContain("healthy")
      expect(answer.text).not.toContain('"errorsWhileComputingFlags":true')
    }
  })

  /** Text as the bytes that a careless client sends; NUL, which no header can hold, as the nearest that can be sent. */
  const asBytes = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Buffer.from(value.replaceAll("\u0000", "\u0080")).toString("latin1"),
      ]),
    )

  interface HostileDefinition {
    readonly id: string
    readonly definition: JsonObject
    readonly expect: string
  }
  const definitions = readCases<{ entries: HostileDefinition[] }>("hostile-flag-definitions").entries

  test.each(definitions.map((one) => [one.id, one] as const))("%s", async (id, { definition, expect: expected }) => {
    const own = await createFlagProject(api, id)
    await save(own, { key: "healthy", filters: EVERYBODY })
    const values = Array.from({ length: 100_000 }, (_unused, index) => String(index))
    const flag = isJsonObject(definition.generator)
      ? {
          key: "k",
          filters: { groups: [{ properties: [{ key: "p", type: "person", operator: "exact", value: values }] }] },
        }
      : definition
    const { status, body } = await save(own, flag)
    if (status === 400)
      expect(body).toMatchObject({ attr: expect.stringMatching(/^(key|filters)/), detail: expect.any(String) })
    else expect(status).toBe(201)
    const flags = await decide(own, { person_properties: { email: `${"a".repeat(50_000)}!`, p: "x" } })
    expect(flags.healthy?.enabled).toBe(true)
    if (status === 201 && expected.endsWith("false")) expect(flags[String(definition.key)]?.enabled).toBe(false)
  })
})

test("no answer of this file was a 5xx", () => {
  expect(statuses.length).toBeGreaterThan(500)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
})
