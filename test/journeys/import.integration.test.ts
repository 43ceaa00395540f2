import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { DuckDBInstance } from "@duckdb/node-api"
import { afterAll, describe, expect, test } from "@jest/globals"
import { runAdminCommand, startAdminCommand } from "../support/admin-command.js"
import { FakePosthog, POSTHOG_KEY } from "../support/fake-posthog.js"
import { ownServer } from "../support/own-server.js"
import { waitFor } from "../support/wait-for.js"
import { PERSONAL_KEY, PROJECT_KEY, temporaryDirectory } from "../support/waymark-process.js"

const { api } = ownServer()
const scratch = temporaryDirectory()
afterAll(() => scratch.remove())

const environment = () => ({ DATA_DIR: scratch.path, PROJECT_KEY, PERSONAL_KEY, POSTHOG_PERSONAL_KEY: POSTHOG_KEY })
const runImport = (...parts: string[]) => runAdminCommand(["import", ...parts, "--to", api.url], environment())
const forgetImports = () => rmSync(join(scratch.path, "imports"), { recursive: true, force: true })

function write(name: string, content: string | Buffer): string {
  const path = join(scratch.path, name)
  writeFileSync(path, content)
  return path
}

const toLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** Events of a project, by a condition, as what was imported. */
async function readEvents(condition: string) {
  await api.drained()
  return api.hogql(`SELECT event, distinct_id, uuid, timestamp FROM events WHERE ${condition} ORDER BY timestamp, uuid`)
}

const uuidOf = (number: number): string => `0195a000-0000-7000-8000-${String(number).padStart(12, "0")}`

/** As a batch export of PostHog has it. */
const exported = (number: number, event: string, distinctId: string, properties: object = {}) => ({
  uuid: uuidOf(number),
  event,
  distinct_id: distinctId,
  timestamp: `2025-03-01T10:00:00.${String(number).padStart(6, "0")}+00:00`,
  properties,
  team_id: 2,
  person_id: uuidOf(999_000),
  person_properties: {},
  _inserted_at: "2025-03-01T10:01:00Z",
})

describe("an import of files of PostHog", () => {
  // Newest first, as nobody promises an order: the merge must come after what the anonymous visitor did.
  const rows = [
    exported(9, "bought", "ada", { amount: 7, $groups: { company: "acme" }, $group_3: "acme" }),
    { ...exported(8, "$autocapture", "ada"), elements_chain: 'a.buy:text="Buy"' },
    { ...exported(7, "$identify", "ada", { $anon_distinct_id: "visitor" }), set: '{"plan":"team"}', mystery: [1] },
    exported(5, "$pageview", "visitor", { $current_url: "https://a.test/" }),
  ]
  const bad = [
    '{"event": "cut',
    JSON.stringify({ ...exported(20, "late", "ada"), timestamp: "yesterday" }),
    JSON.stringify(exported(21, "", "ada")),
    JSON.stringify(exported(22, "nobody", "")),
  ]
  const file = () => write("export.jsonl.gz", gzipSync(`${toLines(rows)}${bad.join("\n")}\n`))

  test("stores what they say, merges persons as they were, and tells what was left out and why", async () => {
    const { code, stdout, stderr } = await runImport("posthog", file())
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout.trim().split("\n")).toEqual([
      "8 rows read, 4 events sent, 0 there before, 4 left out.",
      "  left out: unreadable_row, 1 rows, such as export.jsonl.gz line 5",
      "  left out: invalid_timestamp, 1 rows, such as export.jsonl.gz line 6",
      "  left out: missing_event_name, 1 rows, such as export.jsonl.gz line 7",
      "  left out: missing_distinct_id, 1 rows, such as export.jsonl.gz line 8",
      "  unknown column: mystery, 1 rows, such as [1] in export.jsonl.gz line 3",
    ])
    expect((await readEvents("toDate(timestamp) = '2025-03-01'")).map(([event]) => event)).toEqual([
      "$pageview",
      "$identify",
      "$autocapture",
      "bought",
    ])
    const persons = await api.hogql(
      `SELECT uniq(person_id), any(person.properties.plan), max(elements_chain), countIf(properties.$ip IS NOT NULL)
         FROM events`,
    )
    expect(persons).toEqual([[1, "team", 'a.buy:text="Buy"', 0]])
    expect(await api.hogql("SELECT `$group_0`, `$group_3` FROM events WHERE event = 'bought'")).toEqual([["acme", ""]])
  })

  test("changes nothing when it is repeated, whether or not its ledger is there", async () => {
    const before = await readEvents("1 = 1")
    expect((await runImport("posthog", file())).stdout).toContain("8 rows read, 4 events sent")
    forgetImports()
    expect((await runImport("posthog", file())).stdout).toContain("0 events sent, 4 there before, 4 left out")
    expect(await readEvents("1 = 1")).toEqual(before)
  })

  test("reads Parquet, with ids as they are there, and adds only what is new in it", async () => {
    const parquet = join(scratch.path, "events.parquet")
    const more = [...rows, exported(30, "in Parquet", "ada", { nested: { list: [1, "two"] } })]
    const json = write(
      "more.jsonl",
      toLines(more.map((row) => ({ ...row, properties: JSON.stringify(row.properties), mystery: "" }))),
    )
    const connection = await (await DuckDBInstance.create()).connect()
    await connection.run(
      `COPY (SELECT uuid::UUID AS uuid, event, distinct_id, timestamp::TIMESTAMPTZ AS timestamp, properties,
                    team_id::BIGINT AS team_id FROM read_json('${json}', columns = {uuid: 'VARCHAR', event: 'VARCHAR',
                    distinct_id: 'VARCHAR', timestamp: 'VARCHAR', properties: 'VARCHAR', team_id: 'BIGINT'}))
         TO '${parquet}' (FORMAT parquet, COMPRESSION zstd)`,
    )
    expect((await runImport("posthog", parquet)).stdout).toContain("5 rows read, 1 events sent, 4 there before")
    await api.drained()
    expect(await api.hogql("SELECT uuid, properties.nested FROM events WHERE event = 'in Parquet'")).toEqual([
      [uuidOf(30), '{"list":[1,"two"]}'],
    ])
  })

  test("makes persons of an export of persons known before their events, with all their ids", async () => {
    const person = (distinctId: string, properties: object, isDeleted = false) => ({
      team_id: 2,
      distinct_id: distinctId,
      person_id: uuidOf(distinctId === "gone" ? 2 : 1),
      properties,
      created_at: "2024-12-01T00:00:00Z",
      is_deleted: isDeleted,
    })
    const events = write("of-persons.jsonl", toLines([exported(40, "seen", "bo@phone")]))
    const people = [person("bo", { email: "bo@a.test" }), person("bo@phone", {}), person("gone", {}, true)]
    const persons = write("persons.jsonl", toLines(people))
    const { stdout } = await runImport("posthog", events, persons)
    expect(stdout).toContain("4 rows read, 3 events sent, 0 there before, 1 left out")
    expect(stdout).toContain("deleted_person, 1 rows, such as persons.jsonl line 3")
    await api.drained()
    expect(
      await api.hogql(
        "SELECT person.properties.email, toString(toDate(person.created_at)) FROM events WHERE event = 'seen'",
      ),
    ).toEqual([["bo@a.test", "2024-12-01"]])
  })
})

describe("an import that is killed", () => {
  test("before it learns what the server has stored goes on with each event once, and alone", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => ({
      ...exported(100_000 + index, "many", `user-${index % 50}`),
      timestamp: new Date(Date.UTC(2025, 3, 1) + index * 1_000).toISOString(),
    }))
    const file = write("many.jsonl", toLines(rows.toReversed()))
    let batches = 0
    let beside: Awaited<ReturnType<typeof runAdminCommand>> | undefined
    let kill = (): void => undefined
    const parts = ["import", "posthog", file]
    // In front of the server: the third batch is handed on, and nobody learns of the answer.
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      const answer = await fetch(`${api.url}${request.url}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
        body,
      })
      const batch = request.url === "/batch/" ? ++batches : null
      if (batch === 2) beside = await runAdminCommand(parts, environment())
      if (batch === 3) return kill()
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const { port } = proxy.address() as AddressInfo
    parts.push("--to", `http://127.0.0.1:${port}`)
    const child = startAdminCommand(parts, environment())
    kill = () => child.kill("SIGKILL")
    expect(await child.ended).toMatchObject({ code: null })
    expect(beside).toMatchObject({ code: 1, stderr: expect.stringContaining("is in use by process") })
    await api.drained()
    expect(await api.hogql("SELECT count() FROM events WHERE event = 'many'")).toEqual([[6_000]])

    expect(await runAdminCommand(parts, environment())).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^9000 rows read, \d+ events sent, \d+ there before, 0 left out\./),
    })
    await new Promise((resolve) => proxy.close(resolve))
    await api.drained()
    expect(await api.hogql("SELECT count(), uniq(uuid) FROM events WHERE event = 'many'")).toEqual([[9_000, 9_000]])
  })
})

describe("an import of a table", () => {
  test("takes columns by their names, keeps equal rows apart and is the same when it is repeated", async () => {
    const csv = [
      "When,Who,Amount,Paid,Note",
      "2025-05-01 10:00:00,carl,12.5,true,",
      "2025-05-01 10:00:00,carl,12.5,true,",
      '2025-05-02 10:00:00,carl,007,false,"two\nlines"',
      "2025-05-03 10:00:00,carl",
    ].join("\n")
    const file = write("sales.csv", csv)
    const parts = ["csv", file, "--columns", "timestamp=When,distinct_id=Who", "--event", "sold"]
    const { stdout } = await runImport(...parts)
    expect(stdout).toContain("4 rows read, 3 events sent, 0 there before, 1 left out")
    forgetImports()
    await api.drained()
    expect((await runImport(...parts)).stdout).toContain("0 events sent, 3 there before")
    await api.drained()
    const listSold = () =>
      api.hogql(
        `SELECT properties.Amount, properties.Paid, properties.Note
           FROM events WHERE event = 'sold' ORDER BY timestamp`,
      )
    // Queries know the types of new properties a moment after their events.
    await waitFor("the types of the columns", async () => (await listSold())[0]?.[1] === true)
    expect(await listSold()).toEqual([
      ["12.5", true, null],
      ["12.5", true, null],
      ["007", false, "two\nlines"],
    ])
  })

  test("says how it is called when a column is missing", async () => {
    const file = write("empty.csv", "a,b\n")
    const { code, stderr } = await runImport("csv", file, "--columns", "timestamp=a")
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Usage: npm run import") })
  })
})

describe("an import of the events API", () => {
  const page = (number: number) => ({
    id: uuidOf(number),
    event: `api ${number}`,
    distinct_id: "dora",
    timestamp: `2025-06-0${number}T00:00:00.000000+00:00`,
    properties: { number },
    person: { distinct_ids: ["dora"] },
    elements: [],
    elements_chain: "",
  })
  const posthog = new FakePosthog({ "events/": [page(3), page(2), page(1)] })
  const parts = () => ["posthog-events", "--from", posthog.url, "--source-project", "42"]

  test("follows its pages, waits when it is told to, and sends the oldest first", async () => {
    await posthog.start()
    expect(await runImport(...parts())).toMatchObject({ code: 0, stdout: expect.stringContaining("3 events sent") })
    expect((await readEvents("distinct_id = 'dora'")).map(([event]) => event)).toEqual(["api 1", "api 2", "api 3"])
    expect((await runImport(...parts())).stdout).toContain("0 events sent, 3 there before")
    await posthog.stop()
  })
})

describe("an import of what people made", () => {
  const filters = (...properties: object[]) => ({ groups: [{ properties, rollout_percentage: 100 }] })
  const inCohort = (id: number) => ({ key: "id", type: "cohort", value: id, operator: "in" })
  const trends = (series: object, more = {}) => ({
    kind: "InsightVizNode",
    source: { kind: "TrendsQuery", version: 2, series: [series], ...more },
  })
  const leaf = (...values: object[]) => ({ properties: { type: "AND", values: [{ type: "AND", values }] } })
  const posthog = new FakePosthog({
    "cohorts/": [
      { id: 71, name: "paying, too", is_static: false, filters: leaf({ ...inCohort(72), operator: undefined }) },
      { id: 72, name: "paying", is_static: false, filters: leaf({ type: "person", key: "plan", value: ["team"] }) },
      { id: 73, name: "listed", is_static: true, filters: { properties: {} } },
    ],
    "cohorts/73/persons/": [{ distinct_ids: ["erin", "erin@phone"] }],
    "actions/": [{ id: 81, name: "Paid", description: "", steps: [{ event: "bought", properties: [] }] }],
    "feature_flags/": [
      {
        id: 91,
        key: "after-base",
        name: "",
        active: true,
        filters: filters({ type: "flag", key: "92", value: true, operator: "flag_evaluates_to" }),
      },
      { id: 92, key: "base", name: "the base", active: true, filters: filters(inCohort(71)), tags: ["old"] },
      { id: 93, key: "lost", name: "", active: true, filters: filters(inCohort(7)) },
      { id: 94, key: "gone", deleted: true, filters: {} },
    ],
    "insights/": [
      {
        id: 101,
        short_id: "a",
        name: "",
        derived_name: "Payments",
        query: trends({ kind: "ActionsNode", id: 81 }, { properties: [inCohort(72)] }),
      },
      { id: 102, short_id: "b", name: "of old times", query: null, filters: { events: [] } },
      {
        id: 103,
        short_id: "c",
        name: "unheard of",
        query: trends({ kind: "EventsNode", event: "x" }, { crystalBall: true }),
      },
    ],
    "dashboards/": [
      {
        id: 111,
        name: "Money",
        filters: { date_from: "-14d" },
        tiles: [
          { id: 1, insight: { id: 101 }, layouts: { sm: { x: 6, y: 3, w: 9, h: 4 } } },
          { id: 2, text: { body: "**Note**" }, layouts: {} },
          { id: 3, insight: { id: 102 }, layouts: {} },
        ],
      },
    ],
    "session_recording_playlists/": [
      { id: 121, short_id: "abc", name: "watched", description: "", filters: {}, type: "collection" },
      { id: 122, short_id: "def", derived_name: "long ones", filters: { date_from: "-7d" }, type: "filters" },
    ],
    "session_recording_playlists/abc/recordings/": [{ id: "session-1" }, { id: "session-2" }, { id: "session-3" }],
  })
  const run = () => runImport("posthog-records", "--from", posthog.url, "--source-project", "42")

  test("gives records new numbers wherever others name them, and says which did not come over", async () => {
    await posthog.start()
    await api.capture({ event: "hello", distinct_id: "erin" })
    await api.drained()
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout.trim().split("\n")).toEqual([
      "cohorts: 3 came over, 0 there before, 0 left out.",
      "actions: 1 came over, 0 there before, 0 left out.",
      "feature flags: 2 came over, 0 there before, 1 left out.",
      "  left out: lost: refers to cohorts 7, which did not come over",
      "insights: 1 came over, 0 there before, 2 left out.",
      "  left out: of old times: it has filters of an old form and no query; save it anew in PostHog",
      expect.stringMatching(/^ {2}left out: unheard of: .*crystalBall/),
      "dashboards: 1 came over, 0 there before, 0 left out.",
      "session recording playlists: 2 came over, 0 there before, 0 left out.",
    ])
    const list = async <T>(path: string) =>
      (await api.get<{ results: T[] }>(`/api/projects/@current/${path}/`)).body.results
    const cohorts = await list<{ id: number; name: string; filters: object }>("cohorts")
    const idOf = (name: string) => cohorts.find((cohort) => cohort.name === name)?.id
    expect(JSON.stringify(cohorts.find(({ name }) => name === "paying, too")?.filters)).toContain(
      `"value":${idOf("paying")}`,
    )
    const flags = await list<{ id: number; key: string; filters: object }>("feature_flags")
    const base = flags.find(({ key }) => key === "base")
    expect(base?.filters).toEqual(filters(inCohort(Number(idOf("paying, too")))))
    expect(JSON.stringify(flags.find(({ key }) => key === "after-base")?.filters)).toContain(`"key":"${base?.id}"`)
    expect(await api.hogql(`SELECT count() FROM persons WHERE id IN COHORT ${idOf("listed")}`)).toEqual([[1]])
    const holding = await api.get("/api/projects/@current/session_recording_playlists/?session_recording_id=session-3")
    expect(holding.body).toMatchObject({ results: [{ name: "watched", derived_name: null }] })
  })

  test("shows the tiles of a dashboard where they were, with what they ask", async () => {
    const { dashboards } = await api.graphql<{ dashboards: { nodes: object[] } }>(
      "{ dashboards(first: 1) { nodes { name filters { raw } tiles { x y w h text name query } } } }",
    )
    const [action] = await api
      .graphql<{ actions: { nodes: { number: number }[] } }>("{ actions { nodes { number } } }")
      .then(({ actions }) => actions.nodes)
    expect(dashboards.nodes).toEqual([
      {
        name: "Money",
        filters: { raw: { date_from: "-14d" } },
        tiles: [
          expect.objectContaining({ x: 3, y: 3, w: 9, h: 4, text: null, name: "Payments" }),
          { x: 6, y: 0, w: 6, h: 5, text: "**Note**", name: null, query: null },
        ],
      },
    ])
    expect(JSON.stringify(dashboards.nodes)).toContain(`"id":${action?.number}`)
  })

  test("changes nothing when it is repeated, with its ledger and without", async () => {
    const again = await run()
    forgetImports()
    const anew = await run()
    for (const { stdout } of [again, anew]) {
      expect(stdout).toContain("cohorts: 0 came over, 3 there before, 0 left out.")
      expect(stdout).toContain("feature flags: 0 came over, 2 there before, 1 left out.")
      expect(stdout).toContain("dashboards: 0 came over, 1 there before, 0 left out.")
      expect(stdout).toContain("playlists: 0 came over, 2 there before, 0 left out.")
    }
    await posthog.stop()
  })
})
