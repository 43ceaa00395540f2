import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import { AppError } from "../../../src/kernel/errors.js"
import type { ClickHouse } from "../../../src/platform/clickhouse/click-house.js"
import { createClickHouse } from "../../../src/platform/clickhouse/click-house-client.js"
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from "../../../src/platform/embedded/embedded-clickhouse.js"
import { identifyProcess } from "../../../src/platform/embedded/process-identity.js"
import { StartupError } from "../../../src/platform/embedded/startup-error.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { describeClickHouse } from "../../contract/click-house.contract.js"
import { waitFor } from "../../support/wait-for.js"

const ENDLESS = "SELECT sum(sipHash64(number)) FROM numbers(1000000000000)"

/** Repeats a call as ingestion does: as long as the store says that it is not available. */
const untilServed = <T>(call: () => Promise<T>): Promise<{ readonly value: T }> =>
  waitFor("the engine to serve again", async () => {
    try {
      return { value: await call() }
    } catch (error) {
      expect(error).toMatchObject({ code: "store_unavailable" })
      return null
    }
  })

describe("embedded ClickHouse", () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-clickhouse-"))
  let embedded: EmbeddedClickHouse
  let clickHouse: ClickHouse
  beforeAll(async () => {
    embedded = await startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })
    clickHouse = createClickHouse({ url: () => embedded.url, logger: silentLogger })
  })
  afterAll(async () => {
    await clickHouse.close()
    await embedded.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  describeClickHouse("embedded engine", async () => createClickHouse({ url: () => embedded.url, logger: silentLogger }))

  const killEngine = (): number => {
    const pid = embedded.pid() as number
    process.kill(pid, "SIGKILL")
    return pid
  }
  describe("killed hard", () => {
    test("answers store_unavailable with a time to retry, then serves again under the same URL", async () => {
      const url = embedded.url
      const running = clickHouse.query({ sql: ENDLESS }).catch((thrown: unknown) => thrown)
      await waitFor("the statement to run", async () => {
        const [row] = await clickHouse.rows<{ n: number }>({ sql: "SELECT count() AS n FROM system.processes" })
        return row?.n === 2
      })
      const pid = killEngine()
      const failure = await running
      expect(failure).toBeInstanceOf(AppError)
      expect(failure).toMatchObject({ code: "store_unavailable", details: { retryAfterSeconds: 2 } })
      const { value } = await untilServed(() => clickHouse.query({ sql: "SELECT 42" }))
      expect(value.rows).toEqual([[42]])
      expect(embedded.url).toBe(url)
      expect(embedded.pid()).not.toBe(pid)
    })

    test("in the midst of inserts loses none and stores none twice", async () => {
      await clickHouse.command({
        sql: `CREATE TABLE ledger (id Int64, at DateTime) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY id
          SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`,
      })
      const rowsPerInsert = 200
      const toRows = (slice: number) =>
        Array.from({ length: rowsPerInsert }, (_, index) => ({
          id: slice * rowsPerInsert + index,
          at: index % 2 === 0 ? "2026-01-01T00:00:00Z" : "2026-02-01T00:00:00Z",
        }))
      for (let slice = 0; slice < 30; slice++) {
        const insert = () =>
          clickHouse.insert({ table: "ledger", rows: toRows(slice), deduplicationToken: `slice-${slice}` })
        if (slice % 6 === 3) {
          const first = insert().catch(() => undefined)
          if (slice % 12 === 3) await new Promise((resolve) => setImmediate(resolve))
          killEngine()
          await first
        }
        await untilServed(insert)
      }
      const { rows } = await clickHouse.query({ sql: "SELECT count(), uniqExact(id), max(id) FROM ledger" })
      expect(rows).toEqual([[6000, 6000, 5999]])
    })

    test("still knows the tokens of before", async () => {
      const insert = () =>
        clickHouse.insert({
          table: "ledger",
          rows: [{ id: -1, at: "2026-01-01T00:00:00Z" }],
          deduplicationToken: "before",
        })
      await insert()
      killEngine()
      await untilServed(insert)
      const { rows } = await clickHouse.query({ sql: "SELECT count() FROM ledger WHERE id = -1" })
      expect(rows).toEqual([[1]])
    })
  })

  describe("over HTTP", () => {
    const send = (path: string, init: RequestInit & { auth?: string } = {}) => {
      const url = new URL(embedded.url)
      const auth = init.auth ?? `Basic ${Buffer.from(`${url.username}:${url.password}`).toString("base64")}`
      return fetch(new URL(path, url.origin), { ...init, headers: { authorization: auth, ...init.headers } })
    }

    test("answers a ping to anybody, and statements only with the password", async () => {
      const url = new URL(embedded.url)
      expect(await (await fetch(new URL("/ping", url.origin))).text()).toBe("Ok.\n")
      const anonymous = await fetch(new URL("/?query=SELECT+1", url.origin))
      expect(anonymous.status).toBe(403)
      expect(await anonymous.text()).toMatch(/^Code: 516\. DB::Exception: .* \(AUTHENTICATION_FAILED\)\n$/)
      const headers = { "X-ClickHouse-User": url.username, "X-ClickHouse-Key": url.password }
      expect(await (await fetch(new URL("/?query=SELECT+1", url.origin), { headers })).text()).toBe("1\n")
    })

    test("takes text from the query string and the body, parameters and settings as a server does", async () => {
      const answer = await send(
        "/?query=SELECT+{x:String},&param_x=a%5Ct%27&max_threads=1&query_id=by-hand&default_format=JSONCompactEachRow",
        {
          method: "POST",
          body: "getSetting('max_threads')",
        },
      )
      expect(answer.headers.get("x-clickhouse-query-id")).toBe("by-hand")
      expect(answer.headers.get("x-clickhouse-format")).toBe("JSONCompactEachRow")
      expect(JSON.parse(answer.headers.get("x-clickhouse-summary") ?? "")).toMatchObject({ read_rows: "1" })
      expect(await answer.json()).toEqual(["a\t'", 1])
    })

    test("takes gzip bodies and rows after the statement", async () => {
      await send("/", { method: "POST", body: "CREATE TABLE by_hand (a Int8, b String) ENGINE = MergeTree ORDER BY a" })
      const body = gzipSync('INSERT INTO by_hand FORMAT JSONEachRow\n{"a": 1, "b": "x;y"}')
      const inserted = await send("/", { method: "POST", body, headers: { "Content-Encoding": "gzip" } })
      expect(JSON.parse(inserted.headers.get("x-clickhouse-summary") ?? "")).toMatchObject({ written_rows: "1" })
      await send("/", { method: "POST", body: "INSERT INTO by_hand VALUES (2, 'it''s; fine')" })
      expect(await (await send("/?query=SELECT+*+FROM+by_hand+ORDER+BY+a")).text()).toBe("1\tx;y\n2\tit\\'s; fine\n")
    })

    test.each([
      ["SELEC 1", 400, 62],
      ["SELECT * FROM nowhere", 404, 60],
      ["SELECT 1 + 'a'", 500, 43],
      ["SELECT 1; SELECT 2", 400, 62],
      ["", 400, 62],
      ["SELECT file('/etc/hostname')", 403, 497],
      ["SELECT 1 INTO OUTFILE '/tmp/never'", 403, 497],
      ["SELECT * FROM default.`/etc/hostname`", 403, 497],
    ])("answers %p with the status and code of a server", async (body, status, code) => {
      const answer = await send("/", { method: "POST", body })
      expect(answer.status).toBe(status)
      expect(answer.headers.get("x-clickhouse-exception-code")).toBe(String(code))
      expect(await answer.text()).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: [\\s\\S]* \\([A-Z_]+\\)\\n$`))
    })

    test("refuses settings that a statement may not change, and two statements of one id", async () => {
      expect((await send("/?query=SELECT+1&user_files_path=/", { method: "POST" })).status).toBe(500)
      const abort = new AbortController()
      const first = send("/?query_id=twin", { method: "POST", body: ENDLESS, signal: abort.signal }).catch(() => null)
      await waitFor("the first one to run", () => clickHouse.progress("twin"))
      const second = await send("/?query_id=twin", { method: "POST", body: "SELECT 1" })
      expect(second.headers.get("x-clickhouse-exception-code")).toBe("216")
      abort.abort()
      await first
      await waitFor("the engine to stop", async () => (await clickHouse.progress("twin")) === null)
    })
  })

  test("gets what the query string of its URL says with every statement", async () => {
    const url = () => `${embedded.url}?max_threads=3&max_execution_time=11`
    const asked = createClickHouse({ url, logger: silentLogger, database: "system" })
    const sql = "SELECT getSetting('max_threads'), getSetting('max_execution_time'), currentDatabase()"
    const { rows } = await asked.query({ sql, settings: { max_execution_time: 12 } })
    await asked.close()
    expect(rows).toEqual([[3, 12, "system"]])
  })

  test("keeps no log tables of its own", async () => {
    const { rows } = await clickHouse.query({
      sql: "SELECT name FROM system.tables WHERE database = 'system' AND name LIKE '%\\\\_log'",
    })
    expect(rows).toEqual([])
  })
})

describe("an embedded engine", () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "waymark-clickhouse-"))
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))
  const start = () => startEmbeddedClickHouse({ dataDirectory, logger: silentLogger })

  test("starts the engine anew when a query goes on although it was stopped, and says so", async () => {
    const directory = mkdtempSync(join(tmpdir(), "waymark-clickhouse-"))
    const said: unknown[] = []
    const note = (...line: unknown[]): void => void said.push(line)
    const logger = { ...silentLogger, warn: note, error: note }
    const own = await startEmbeddedClickHouse({ dataDirectory: directory, logger, stuckAfterMs: 200 })
    const client = createClickHouse({ url: () => own.url, logger: silentLogger })
    try {
      const pid = own.pid()
      // Works for minutes on its one block of rows, and looks at nothing meanwhile.
      const text = (letter: string) => `materialize(repeat('${letter}', 4000))`
      const sql = `SELECT sum(levenshteinDistance(${text("a")}, ${text("b")})) FROM numbers(60000)`
      /** Given up before it is at its block, it stops in good order. */
      const giveUp = async (afterMs: number): Promise<void> => {
        const leaving = new AbortController()
        const queryId = `stuck-${afterMs}`
        const running = client.query({ sql, queryId, signal: leaving.signal }).catch((thrown: unknown) => thrown)
        await waitFor("the query to work", async () => ((await client.progress(queryId))?.elapsedMs ?? 0) > afterMs)
        leaving.abort()
        await running
        await waitFor("it to end", async () => (await client.progress(queryId).catch(() => "away")) === null)
      }
      for (let afterMs = 500; own.pid() === pid && afterMs < 10_000; afterMs *= 2) await giveUp(afterMs)
      expect(own.pid()).not.toBe(pid)
      expect(JSON.stringify(said)).toContain("was stopped and goes on")
      expect((await untilServed(() => client.query({ sql: "SELECT 42" }))).value.rows).toEqual([[42]])
    } finally {
      await client.close()
      await own.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  })

  test("finds its tables again after a stop, and leaves no process behind", async () => {
    const first = await start()
    const pid = first.pid() as number
    const before = createClickHouse({ url: first.url, logger: silentLogger })
    await before.command({ sql: "CREATE TABLE kept (a Int8) ENGINE = MergeTree ORDER BY a" })
    await before.insert({ table: "kept", rows: [{ a: 7 }] })
    const interrupted = before.query({ sql: ENDLESS }).catch((thrown: unknown) => thrown)
    await first.stop()
    expect(await interrupted).toBeInstanceOf(Error)
    await expect(before.ping()).rejects.toMatchObject({ code: "store_unavailable" })
    await before.close()
    expect(identifyProcess(pid)).toBeNull()

    const second = await start()
    const after = createClickHouse({ url: second.url, logger: silentLogger })
    expect((await after.query({ sql: "SELECT a FROM kept" })).rows).toEqual([[7]])
    await after.close()
    await second.stop()
  })

  test("stores a repeated insert whose token a crash left without its rows", async () => {
    const insert = async (embedded: EmbeddedClickHouse) => {
      const clickHouse = createClickHouse({ url: embedded.url, logger: silentLogger })
      await clickHouse.command({
        sql: `CREATE TABLE IF NOT EXISTS torn (a Int8) ENGINE = MergeTree ORDER BY a
          SETTINGS non_replicated_deduplication_window = 100`,
      })
      await clickHouse.insert({ table: "torn", rows: [{ a: 1 }], deduplicationToken: "torn" })
      const { rows } = await clickHouse.query({
        sql: "SELECT (SELECT count() FROM torn), max(path) FROM system.parts WHERE table = 'torn' AND active",
      })
      await clickHouse.close()
      return { count: rows[0]?.[0], partDirectory: String(rows[0]?.[1]) }
    }
    const first = await start()
    const { partDirectory } = await insert(first)
    await first.stop()
    // What a kill between the two steps of an insert leaves: the token is noted, the part is not in place.
    rmSync(partDirectory, { recursive: true })

    const second = await start()
    expect((await insert(second)).count).toBe(1)
    expect((await insert(second)).count).toBe(1)
    await second.stop()
  })

  test("ends by itself when the server that started it is killed", async () => {
    const server = startServer(dataDirectory)
    const [pid] = (await once(server, "message")) as [number]
    expect(identifyProcess(pid)).not.toBeNull()
    server.kill("SIGKILL")
    await waitFor("the engine to end", () => identifyProcess(pid) === null)
  })

  test("that cannot be opened says why in one line", async () => {
    const broken = mkdtempSync(join(tmpdir(), "waymark-clickhouse-"))
    writeFileSync(join(broken, "clickhouse"), "a file where a directory should be")
    const failure = await startEmbeddedClickHouse({ dataDirectory: broken, logger: silentLogger }).catch(
      (thrown: unknown) => thrown,
    )
    expect(failure).toBeInstanceOf(StartupError)
    expect((failure as Error).message).toMatch(/^ClickHouse did not start on .*: ENOTDIR/)
    rmSync(broken, { recursive: true })
  })
})

/** A process that starts the engine, tells its pid and then does nothing. */
function startServer(dataDirectory: string): ChildProcess {
  const program = `
    import { startEmbeddedClickHouse } from ${JSON.stringify(new URL("../../../dist/platform/embedded/embedded-clickhouse.js", import.meta.url).href)}
    import { silentLogger } from ${JSON.stringify(new URL("../../../dist/platform/logger/logger.js", import.meta.url).href)}
    const embedded = await startEmbeddedClickHouse({ dataDirectory: ${JSON.stringify(dataDirectory)}, logger: silentLogger })
    process.send(embedded.pid())
    setInterval(() => undefined, 1000)`
  return spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
}
