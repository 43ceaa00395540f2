import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import type { JsonObject } from "../../src/kernel/json.js"
import { type KnownRecords, RECORD_KINDS, translateReferences } from "../../src/moving/records/record-kinds.js"
import { runAdminCommand } from "../support/admin-command.js"
import { CaseProject } from "../support/case-project.js"
import { copyOfTemplate } from "../support/store-templates.js"
import { WaymarkApi } from "../support/waymark-api.js"
import { PERSONAL_KEY, temporaryDirectory, WaymarkProcess } from "../support/waymark-process.js"

const live = copyOfTemplate("server")
const scratch = temporaryDirectory()
const inScratch = (name: string): string => join(scratch.path, name)
const server = new WaymarkProcess(live.path)
let api: WaymarkApi
let source: CaseProject
let target: CaseProject

const SESSION = "0199a000-0000-7000-8000-00000000c0d1"
const PEOPLE = Array.from({ length: 40 }, (_, index) => `person-${index}`)
/** Of those, every third pays for a team. */
const planOf = (index: number): string => (index % 3 === 0 ? "team" : "free")

/** The same for both projects. */
async function fillWithEvents(project: CaseProject): Promise<void> {
  const beganAtMs = Date.now() - 3_600_000
  await project.send(
    PEOPLE.map((person, index) => ({
      event: "paid",
      distinct_id: person,
      timestamp: new Date(beganAtMs).toISOString(),
      properties: { amount: index, $set: { plan: planOf(index) } },
    })),
  )
  const items = [{ type: 4, timestamp: beganAtMs, data: { href: "https://a.test/", width: 1, height: 1 } }]
  const properties = { $session_id: SESSION, $window_id: "w", $snapshot_data: items, distinct_id: "person-0" }
  await project.sendSnapshots([{ properties }])
}

/** Makes a record by REST. @returns what names it. */
async function make(kind: string, body: JsonObject): Promise<{ id: number; short_id: string }> {
  const { status, body: made } = await api.post<{ id: number; short_id: string }>(
    `/api/projects/${source.id}/${kind}/`,
    body,
  )
  expect({ status, made }).toMatchObject({ status: 201 })
  return made
}

const makeInGraph = async (field: string, type: string, input: JsonObject): Promise<string> => {
  const { made } = await api.changed<{ made: { shortId: string } }>(
    `mutation ($input: ${type}!) { made: ${field}(input: $input) { record: ${field.slice("create".length).toLowerCase()} { shortId } userErrors { message } } }`,
    { input: { ...input, projectId: String(source.id) } },
  )
  return made.shortId
}

const person = (key: string, value: string) => ({ type: "person", key, value: [value], operator: "exact" })
const leaf = (...values: JsonObject[]) => ({ properties: { type: "AND", values: [{ type: "AND", values }] } })
const inCohort = (id: number) => ({ key: "id", type: "cohort", value: id, operator: "in" })

/** Makes records of each kind that name one another. */
async function fillWithRecords(): Promise<void> {
  const team = await make("cohorts", { name: "team", filters: leaf(person("plan", "team")) })
  const listed = await make("cohorts", { name: "listed", description: "by hand", is_static: true })
  await api.post(`/api/projects/${source.id}/cohorts/${listed.id}/members/`, { distinct_ids: ["person-1", "person-2"] })
  const both = { type: "OR", values: [inCohort(team.id), inCohort(listed.id)].map(({ operator: _, ...each }) => each) }
  await make("cohorts", { name: "either", filters: { properties: { type: "OR", values: [both] } } })
  const action = await make("actions", {
    name: "Paid much",
    description: "more than ten",
    steps: [{ event: "paid", properties: [{ key: "amount", value: 10, operator: "gt", type: "event" }] }],
  })
  const base = await make("feature_flags", {
    key: "checkout",
    name: "Which checkout",
    tags: ["shop"],
    filters: {
      groups: [
        { properties: [inCohort(listed.id)], rollout_percentage: 100, variant: "wide" },
        { properties: [person("plan", "team")], rollout_percentage: 60 },
      ],
      multivariate: {
        variants: [
          { key: "wide", rollout_percentage: 30 },
          { key: "slim", rollout_percentage: 70 },
        ],
      },
      payloads: { wide: '{"columns":2}', slim: '"one"' },
    },
  })
  await make("feature_flags", {
    key: "after-checkout",
    filters: {
      groups: [
        {
          properties: [{ type: "flag", key: String(base.id), value: "wide", operator: "flag_evaluates_to" }],
          rollout_percentage: 100,
        },
      ],
    },
  })
  await make("feature_flags", { key: "off", active: false, filters: { groups: [{}] }, evaluation_runtime: "server" })
  await make("feature_flags", { key: "by-device", bucketing_identifier: "device_id", filters: { groups: [{}] } })
  const trends = { kind: "TrendsQuery", version: 2, series: [{ kind: "ActionsNode", id: action.id }] }
  const byTeam = await makeInGraph("createInsight", "CreateInsightInput", {
    name: "Big payments",
    description: "of teams",
    tags: ["money"],
    query: { raw: { ...trends, properties: [inCohort(team.id)], dateRange: { date_from: "-7d" } } },
  })
  const bySql = await makeInGraph("createInsight", "CreateInsightInput", {
    name: "Sum",
    query: { raw: { kind: "HogQLQuery", query: "SELECT sum(properties.amount) FROM events" } },
  })
  await makeInGraph("createDashboard", "CreateDashboardInput", {
    name: "Money",
    description: "all of it",
    tags: ["weekly"],
    pinned: true,
    filters: { raw: { date_from: "-14d", properties: [inCohort(listed.id)] } },
    tiles: [
      { x: 6, y: 3, w: 6, h: 4, insight: byTeam },
      { x: 0, y: 0, w: 12, h: 2, text: "# What comes in\n\n- *all* of it" },
      { x: 0, y: 3, w: 6, h: 4, insight: bySql },
    ],
  })
  const kept = await make("session_recording_playlists", { name: "kept", description: "worth a look", pinned: true })
  await api.post(`/api/projects/${source.id}/session_recording_playlists/${kept.short_id}/recordings/${SESSION}/`, {})
  await make("session_recording_playlists", {
    derived_name: "of the team",
    filters: { date_from: "-3d", filter_group: leaf(inCohort(team.id)).properties },
  })
}

const runExport = (to: string, project: CaseProject) =>
  runAdminCommand(["export", "--to", to, "--project", String(project.id), "--records", "--server", api.url], {
    DATA_DIR: live.path,
    PERSONAL_KEY,
  })
const runImport = (...parts: string[]) =>
  runAdminCommand(["import", "posthog-records", ...parts, "--to", api.url], {
    DATA_DIR: inScratch("importer"),
    PROJECT_KEY: target.token,
    PERSONAL_KEY,
  })

type Exported = Record<(typeof RECORD_KINDS)[number], JsonObject[]>

function readExport(folder: string, { id }: CaseProject): Exported {
  const read = (kind: string) => JSON.parse(readFileSync(join(folder, `project-${id}/records/${kind}.json`), "utf8"))
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, read(kind)])) as Exported
}

const OWN_TO_A_PROJECT = /^(?:id|short_id|uuid|created_at|updated_at|last_modified_at|version|recordings_counts)$/
const nameOf = ({ key, name, derived_name: derived }: JsonObject): string => String(key ?? name ?? derived)

/** Records with numbers that stand for names, the same in every project, in place of those of their project. */
function withoutOwnNumbers(exported: Exported): unknown {
  const ranks = RECORD_KINDS.map((kind) => {
    const names = exported[kind].map(nameOf).toSorted()
    return [
      kind,
      Object.fromEntries(exported[kind].map((each) => [String(each.id), String(names.indexOf(nameOf(each)))])),
    ]
  })
  const known = Object.fromEntries(ranks) as KnownRecords
  const clean = (record: JsonObject) => {
    const text = JSON.stringify(translateReferences(record, known), (name, value) => {
      if (name === "members") return value.flatMap((member: { distinct_ids: string[] }) => member.distinct_ids).sort()
      if (name === "insight" && value !== null) return known.insights[value.id]
      return OWN_TO_A_PROJECT.test(name) ? undefined : value
    })
    return JSON.parse(text)
  }
  const sorted = (kind: keyof Exported) => exported[kind].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, sorted(kind).map(clean)]))
}

beforeAll(async () => {
  api = new WaymarkApi(await server.ready())
  source = await CaseProject.create(api, "source")
  target = await CaseProject.create(api, "target")
  for (const project of [source, target]) await fillWithEvents(project)
  await api.drained()
  await fillWithRecords()
  expect(await runExport(inScratch("export"), source)).toMatchObject({ code: 0, stderr: "" })
})
afterAll(async () => {
  await server.stop()
  live.remove()
  scratch.remove()
})

describe("records of an export", () => {
  test("come over into another project, each once however often that is done", async () => {
    const { code, stdout, stderr } = await runImport("--from", inScratch("export"))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    // Every project begins with the same dashboard of four insights.
    expect(stdout.trim().split("\n")).toEqual([
      "cohorts: 3 came over, 0 there before, 0 left out.",
      "actions: 1 came over, 0 there before, 0 left out.",
      "feature flags: 4 came over, 0 there before, 0 left out.",
      "insights: 2 came over, 4 there before, 0 left out.",
      "dashboards: 1 came over, 1 there before, 0 left out.",
      "session recording playlists: 2 came over, 0 there before, 0 left out.",
    ])
    expect((await runImport("--from", inScratch("export"))).stdout).not.toMatch(/[1-9]\d* came over/)
  })

  test("are the same there but for their numbers, with members, tiles and recordings", async () => {
    expect(await runExport(inScratch("again"), target)).toMatchObject({ code: 0, stderr: "" })
    const [there, here] = [readExport(inScratch("again"), target), readExport(inScratch("export"), source)]
    expect(withoutOwnNumbers(there)).toEqual(withoutOwnNumbers(here))
    expect(here.cohorts.find(({ name }) => name === "listed")?.members).toHaveLength(2)
    expect(here.session_recording_playlists.find(({ name }) => name === "kept")?.recordings).toEqual([SESSION])
  })

  test("decide the same for everybody, with the same payloads", async () => {
    const decide = async ({ token }: CaseProject, distinctId: string) => {
      const body = { api_key: token, distinct_id: distinctId, $device_id: `device of ${distinctId}` }
      const answer = await api.post<{ featureFlags: JsonObject; featureFlagPayloads: JsonObject }>("/decide?v=3", body)
      return { flags: answer.body.featureFlags, payloads: answer.body.featureFlagPayloads }
    }
    const all = (project: CaseProject) => Promise.all(PEOPLE.map((distinctId) => decide(project, distinctId)))
    const decided = await all(source)
    expect(await all(target)).toEqual(decided)
    const variants = new Set(decided.map(({ flags }) => flags.checkout))
    expect(variants).toEqual(new Set(["wide", "slim", false]))
  })

  test("come to the same results", async () => {
    const run = async (project: CaseProject) => {
      const answer = await api.graphql<{ insights: { nodes: { name: string; query: JsonObject }[] } }>(
        "query ($id: ID!) { insights(projectId: $id) { nodes { name query } } }",
        { id: String(project.id) },
      )
      const results = await Promise.all(
        answer.insights.nodes.map(async ({ name, query }) => {
          const { status, body } = await api.post<{ results: JsonObject[] }>(`/api/environments/${project.id}/query/`, {
            query,
            refresh: "force_blocking",
          })
          return [name, status, body.results.map((one) => (Array.isArray(one) ? one : [one.label, one.data]))]
        }),
      )
      return results.toSorted()
    }
    const results = await run(source)
    expect(await run(target)).toEqual(results)
    expect(JSON.stringify(results)).toContain('"Sum",200')
  })
})

describe("records in files", () => {
  test("may be answers of PostHog's API, and what is not whole is left out by name", async () => {
    const write = (kind: string, content: unknown) =>
      writeFileSync(join(scratch.path, `${kind}.json`), typeof content === "string" ? content : JSON.stringify(content))
    write("cohorts", { count: 1, next: null, results: [{ id: 5, name: "of a page", is_static: true }] })
    write("dashboards", [{ id: 6, name: "without tiles" }])
    write("actions", { next: null, results: [{ id: 7, name: "Of a page", steps: [{ event: "paid" }] }] })
    const { code, stdout } = await runImport("--from", scratch.path)
    expect({
      code,
      lines: stdout.split("\n").filter((line) => !line.includes(" 0 came over, 0 there before, 0 ")),
    }).toEqual({
      code: 0,
      lines: [
        "cohorts: 0 came over, 0 there before, 1 left out.",
        "  left out: of a page: its members are not among what is read",
        "actions: 1 came over, 0 there before, 0 left out.",
        "dashboards: 0 came over, 0 there before, 1 left out.",
        "  left out: without tiles: its tiles are not among what is read",
        "",
      ],
    })
  })

  test("are refused where they are no lists, one page of several, or not there", async () => {
    const refused = async (content: string | null, from = scratch.path) => {
      if (content !== null) writeFileSync(join(scratch.path, "cohorts.json"), content)
      const { code, stderr } = await runImport("--from", from)
      return code === 1 ? stderr : null
    }
    expect(await refused("[{")).toContain("cohorts.json is no JSON")
    expect(await refused('{"a":1}')).toContain("cohorts.json is no list of records")
    expect(await refused('{"next":"https://a.test/?offset=100","results":[]}')).toContain("is one page of a list")
    expect(await refused(null, inScratch("nowhere"))).toContain("holds no records")
  })
})
