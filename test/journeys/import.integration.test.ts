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
      "SELECT uniq(person_id), any(person.properties.plan), max(elements_chain), countIf(properties.$ip IS NOT NULL) FROM events",
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
  test("between what the server has stored and its answer goes on with each event once", async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => ({
      ...exported(100_000 + index, "many", `user-${index % 50}`),
      timestamp: new Date(Date.UTC(2025, 3, 1) + index * 1_000).toISOString(),
    }))
    const file = write("many.jsonl", toLines(rows.toReversed()))
    let batches = 0
    let kill = (): void => undefined
    // In front of the server: the third batch is handed on, and nobody learns of the answer.
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      const answer = await fetch(`${api.url}${request.url}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
        body,
      })
      if (request.url === "/batch/" && ++batches === 3) return kill()
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const { port } = proxy.address() as AddressInfo
    const parts = ["import", "posthog", file, "--to", `http://127.0.0.1:${port}`]
    const child = startAdminCommand(parts, environment())
    kill = () => child.kill("SIGKILL")
    expect(await child.ended).toMatchObject({ code: null })
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
    expect(
      await api.hogql(
        "SELECT properties.Amount, properties.Paid, properties.Note FROM events WHERE event = 'sold' ORDER BY timestamp",
      ),
    ).toEqual([
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
