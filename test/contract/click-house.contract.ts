import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { Readable } from "node:stream"
import { buffer, text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals"
import fc from "fast-check"
import { escapeField, NULL_FIELD } from "../../src/kernel/tab-separated.js"
import { type ClickHouse, EngineError, type Statement } from "../../src/platform/clickhouse/click-house.js"
import { waitFor } from "../support/wait-for.js"

/** Runs until it is stopped: days of work, but little memory. */
const ENDLESS = "SELECT sum(sipHash64(number)) FROM numbers(1000000000000)"
const HOSTILE_TEXTS = [
  "",
  "'",
  "''",
  "\\",
  "\\'",
  "\\\\'; DROP TABLE events; --",
  "a\0b\0",
  'tab\tline\nreturn\rfeed\fback\bquote"tick`',
  "{x:String}",
  "\\N",
  "NULL",
  "$1 ; -- /* */ # //",
  "💥 é ‘curly’ “quotes” \u2028\u00a0",
  "%27&param_x=1+%00",
  "x".repeat(20_000),
]

/** Rows in blocks of some thousands. */
const toBlocks = (rows: readonly string[]): Buffer[] =>
  Array.from({ length: Math.ceil(rows.length / 4_000) }, (_, index) =>
    Buffer.from(
      rows
        .slice(index * 4_000, (index + 1) * 4_000)
        .map((row) => `${row}\n`)
        .join(""),
    ),
  )

/**
 * What every ClickHouse must do. The tables it makes are named after a random prefix and dropped at the end.
 * @param create opens one that knows of a table, which a cluster may spread by its column `id`.
 */
export function describeClickHouse(name: string, create: (table: string) => Promise<ClickHouse>): void {
  describe(`ClickHouse: ${name}`, () => {
    const prefix = `contract_${randomBytes(6).toString("hex")}`
    const table = `${prefix}_rows`
    let clickHouse: ClickHouse

    beforeAll(async () => {
      clickHouse = await create(table)
      await clickHouse.command({
        sql: `CREATE TABLE ${table} (id Int64, at DateTime64(3, 'UTC'), text String, tags Array(String), score Nullable(Float64))
          ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY id
          SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`,
      })
    })
    afterAll(async () => {
      await clickHouse.command({ sql: `DROP TABLE IF EXISTS ${table}` })
      await clickHouse.close()
    })

    const single = async (statement: Statement) => (await clickHouse.query(statement)).rows[0]?.[0]
    const refusal = async (statement: Statement): Promise<EngineError> => {
      const error = await clickHouse.query(statement).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(EngineError)
      return error as EngineError
    }
    const ids = async (where: string) =>
      (await clickHouse.query({ sql: `SELECT id FROM ${table} WHERE ${where} ORDER BY id` })).rows.map(([id]) => id)
    const row = (id: number, at = "2026-01-15T10:00:00.123Z") => ({
      id,
      at,
      text: `row ${id}`,
      tags: ["a", "b"],
      score: null,
    })

    describe("a query", () => {
      test("answers names, types and rows in column order", async () => {
        const answer = await clickHouse.query({
          sql: "SELECT 1 AS one, 'x' AS letter, [1, 2] AS list, NULL AS nothing -- end",
        })
        expect(answer.columns).toEqual([
          { name: "one", type: "UInt8" },
          { name: "letter", type: "String" },
          { name: "list", type: "Array(UInt8)" },
          { name: "nothing", type: "Nullable(Nothing)" },
        ])
        expect(answer.rows).toEqual([[1, "x", [1, 2], null]])
      })

      test("counts the rows it read and the time it took", async () => {
        const answer = await clickHouse.query({ sql: "SELECT count() FROM numbers(100000) WHERE number % 2 = 0;" })
        expect(answer.rows).toEqual([[50_000]])
        expect(answer.rowsRead).toBe(100_000)
        expect(answer.bytesRead).toBeGreaterThanOrEqual(800_000)
        expect(answer.elapsedMs).toBeGreaterThan(0)
      })

      test("gives 64-bit integers as JSON numbers", async () => {
        expect(await single({ sql: "SELECT toInt64(9007199254740991)" })).toBe(9007199254740991)
        expect(await single({ sql: "SELECT count() FROM numbers(3)" })).toBe(3)
      })

      test("gives rows as objects keyed by column name", async () => {
        const rows = await clickHouse.rows<{ n: number; word: string }>({
          sql: "SELECT number AS n, 'w' AS word FROM numbers(2)",
        })
        expect(rows).toEqual([
          { n: 0, word: "w" },
          { n: 1, word: "w" },
        ])
      })

      test("reads an answer of some megabytes whole", async () => {
        const answer = await clickHouse.query({ sql: "SELECT number, repeat('x', 100) FROM numbers(50000)" })
        expect(answer.rows.length).toBe(50_000)
      })

      test("carries its own settings", async () => {
        const settings = { max_threads: 1, max_execution_time: 7 }
        expect(await single({ sql: "SELECT getSetting('max_execution_time')", settings })).toBe(7)
      })
    })

    describe("a streamed answer", () => {
      const rowsOf = async (statement: Statement): Promise<unknown[]> => {
        const lines = (await text(await clickHouse.stream(statement, "JSONCompactEachRow"))).split("\n")
        return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown)
      }

      test("holds every row once, in order", async () => {
        const rows = await rowsOf({
          sql: "SELECT number, {text:String} FROM numbers(200000) ORDER BY number",
          parameters: { text: "é\0\n'" },
        })
        expect(rows.length).toBe(200_000)
        expect(rows.every((row, index) => (row as number[])[0] === index)).toBe(true)
        expect(rows[7]).toEqual([7, "é\0\n'"])
        expect(await rowsOf({ sql: "SELECT 1 WHERE 0" })).toEqual([])
      })

      test("in Parquet is one file", async () => {
        const file = await buffer(await clickHouse.stream({ sql: "SELECT number FROM numbers(150000)" }, "Parquet"))
        expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"])
        expect(file.indexOf("PAR1", 4)).toBe(file.length - 4)
      })

      test("of a refused statement is a refusal", async () => {
        for (const format of ["JSONCompactEachRow", "Parquet"] as const)
          await expect(clickHouse.stream({ sql: "SELECT nope" }, format)).rejects.toBeInstanceOf(EngineError)
      })

      test("that is refused after its first rows breaks off", async () => {
        const sql =
          "SELECT throwIf(number = 900000), sleepEachRow(0) FROM numbers(1000000) SETTINGS max_block_size = 1000"
        await expect(rowsOf({ sql })).rejects.toThrow()
      })

      test("stops the engine's work when its reader leaves", async () => {
        const queryId = `${prefix}-left`
        const stream = await clickHouse.stream(
          { sql: "SELECT number FROM system.numbers", queryId },
          "JSONCompactEachRow",
        )
        await once(stream, "readable")
        expect(await clickHouse.progress(queryId)).not.toBeNull()
        stream.destroy()
        await waitFor("the engine to stop", async () => (await clickHouse.progress(queryId)) === null)
      })

      test("stops when its signal aborts before the first row", async () => {
        const queryId = `${prefix}-never-begun`
        const abort = new AbortController()
        const opening = clickHouse.stream({ sql: ENDLESS, queryId, signal: abort.signal }, "JSONCompactEachRow")
        const outcome = opening.catch((thrown: unknown) => thrown)
        await waitFor("the statement to run", () => clickHouse.progress(queryId))
        abort.abort(new Error("no longer wanted"))
        expect(await outcome).toMatchObject({ message: "no longer wanted" })
        await waitFor("the engine to stop", async () => (await clickHouse.progress(queryId)) === null)
      })
    })

    describe("a parameter", () => {
      const cases: [type: string, value: unknown, expected: unknown][] = [
        ["String", "plain", "plain"],
        ["Int64", -9007199254740991, -9007199254740991],
        ["UInt64", 9007199254740991n, 9007199254740991],
        ["Float64", 1.5e-7, 1.5e-7],
        ["Bool", true, true],
        ["UUID", "018f0e5c-7b8a-7000-8000-0123456789ab", "018f0e5c-7b8a-7000-8000-0123456789ab"],
        ["Date", "2026-02-03", "2026-02-03"],
        ["DateTime64(6, 'UTC')", "2026-02-03 04:05:06.123456", "2026-02-03 04:05:06.123456"],
        ["DateTime64(3, 'UTC')", new Date("2026-02-03T04:05:06.123Z"), "2026-02-03 04:05:06.123"],
        ["DateTime64(3, 'UTC')", new Date("1969-12-31T23:59:58.500Z"), "1969-12-31 23:59:58.500"],
        ["Nullable(String)", null, null],
        ["Nullable(Int32)", 4, 4],
        ["Array(String)", ["it's", "\\", "a,b]"], ["it's", "\\", "a,b]"]],
        ["Array(Nullable(Int64))", [1, null], [1, null]],
        ["Array(Array(UInt8))", [[1], []], [[1], []]],
        ["Array(UUID)", ["018f0e5c-7b8a-7000-8000-0123456789ab"], ["018f0e5c-7b8a-7000-8000-0123456789ab"]],
        ["Map(String, Int64)", { "k'1": 1 }, { "k'1": 1 }],
        ["Enum8('full' = 0, 'other' = 1)", "other", "other"],
      ]
      test.each(cases)("of type %s holds %p", async (type, value, expected) => {
        const sql = `SELECT {value:${type}} AS value`
        expect(await single({ sql, parameters: { value } })).toEqual(expected)
      })

      test("keeps every hostile text as it is, alone and within an array", async () => {
        for (const text of HOSTILE_TEXTS)
          expect(await single({ sql: "SELECT {text:String}", parameters: { text } })).toBe(text)
        expect(await single({ sql: "SELECT {texts:Array(String)}", parameters: { texts: HOSTILE_TEXTS } })).toEqual(
          HOSTILE_TEXTS,
        )
      })

      test("keeps any text at all", async () => {
        const texts = fc.sample(fc.string({ unit: "binary", maxLength: 40 }), { numRuns: 500, seed: 42 })
        const parameters = { texts, joined: texts.join("") }
        expect(await single({ sql: "SELECT {texts:Array(String)}", parameters })).toEqual(texts)
        expect(await single({ sql: "SELECT {joined:String}", parameters })).toBe(texts.join(""))
      })

      test("may be a list of many thousand values", async () => {
        const numbers = Array.from({ length: 100_000 }, (_, index) => index)
        expect(await single({ sql: "SELECT length({numbers:Array(UInt32)})", parameters: { numbers } })).toBe(100_000)
      })

      test("belongs to its own statement, however many run at once", async () => {
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            single({
              sql: "SELECT {name:String} FROM numbers(20000) GROUP BY 1",
              parameters: { name: `n${index}` },
            }),
          ),
        )
        expect(answers).toEqual(Array.from({ length: 40 }, (_, index) => `n${index}`))
        expect((await refusal({ sql: "SELECT {name:String}" })).engineName).toBe("UNKNOWN_QUERY_PARAMETER")
      })

      test("that does not fit its type is refused", async () => {
        const error = await refusal({ sql: "SELECT {n:Int64}", parameters: { n: "1); SELECT 2" } })
        expect(error.engineName).toBe("BAD_QUERY_PARAMETER")
      })
    })

    describe("an insert", () => {
      test("takes objects and rows already written as JSON", async () => {
        await clickHouse.insert({ table, rows: [row(1), JSON.stringify({ ...row(2), text: "é\0'\\\"\n" })] })
        const { rows } = await clickHouse.query({
          sql: `SELECT id, toString(at), text, tags, score FROM ${table} WHERE id IN (1, 2) ORDER BY id`,
        })
        expect(rows).toEqual([
          [1, "2026-01-15 10:00:00.123", "row 1", ["a", "b"], null],
          [2, "2026-01-15 10:00:00.123", "é\0'\\\"\n", ["a", "b"], null],
        ])
      })

      test("takes rows of escaped fields, whatever they hold", async () => {
        const columns = ["id", "at", "text", "score"]
        const texts = [...HOSTILE_TEXTS, "-- { serverError 60 }", "/* { echo } */", "a\n\nb", "\n", "\t"]
        const rows = texts.map(
          (text, index) => `${5_000 + index}\t2026-01-15 10:00:00.123\t${escapeField(text)}\t${NULL_FIELD}`,
        )
        for (let attempt = 0; attempt < 2; attempt++)
          await clickHouse.insert({ table, columns, blocks: toBlocks(rows), deduplicationToken: "escaped" })
        const stored = await clickHouse.query({
          sql: `SELECT text, toString(at), score FROM ${table} WHERE id BETWEEN 5000 AND 5099 ORDER BY id`,
        })
        expect(stored.rows).toEqual(texts.map((text) => [text, "2026-01-15 10:00:00.123", null]))
      })

      test("takes a Parquet file, and equal ones as often as they come", async () => {
        const values = "SELECT 8900 + number AS id, repeat('\\n\\n', number) AS text FROM numbers(3)"
        for (let time = 0; time < 2; time++)
          await clickHouse.insertParquet(table, ["id", "text"], await clickHouse.stream({ sql: values }, "Parquet"))
        const sql = `SELECT id, text FROM ${table} WHERE id BETWEEN 8900 AND 8999 ORDER BY id`
        expect((await clickHouse.query({ sql })).rows).toEqual(
          [8900, 8900, 8901, 8901, 8902, 8902].map((id) => [id, "\n\n".repeat(id - 8900)]),
        )
      })

      test("refuses a file that is no Parquet, and stores nothing of it", async () => {
        const broken = Readable.from([Buffer.from("PAR1 no more")])
        await expect(clickHouse.insertParquet(table, ["id"], broken)).rejects.toBeInstanceOf(EngineError)
      })

      test("of escaped fields that do not fit stores none of its rows", async () => {
        const insert = (row: string) =>
          clickHouse.insert({ table, columns: ["id", "text"], blocks: toBlocks(["800\tfits", row, "801\tfits"]) })
        for (const row of ["a\ttext for a number", "802", "803\ttoo\tmany"])
          await expect(insert(row)).rejects.toBeInstanceOf(EngineError)
        expect(await ids("id BETWEEN 800 AND 899")).toEqual([])
      })

      test("repeated with its token is stored once, and stored again with another token", async () => {
        const rows = [row(100), row(101)]
        await clickHouse.insert({ table, rows, deduplicationToken: "slice-1" })
        await clickHouse.insert({ table, rows, deduplicationToken: "slice-1" })
        expect(await ids("id BETWEEN 100 AND 101")).toEqual([100, 101])
        await clickHouse.insert({ table, rows, deduplicationToken: "slice-2" })
        expect(await ids("id BETWEEN 100 AND 101")).toEqual([100, 100, 101, 101])
      })

      test("that spans partitions is stored once per token too", async () => {
        const rows = [
          row(200, "2026-01-31T23:59:59.999Z"),
          row(201, "2026-02-01T00:00:00.000Z"),
          row(202, "2025-12-01T00:00:00Z"),
        ]
        for (let attempt = 0; attempt < 3; attempt++)
          await clickHouse.insert({ table, rows, deduplicationToken: "over the months" })
        expect(await ids("id BETWEEN 200 AND 202")).toEqual([200, 201, 202])
      })

      test("without a token is stored each time unless its rows are the same", async () => {
        await clickHouse.insert({ table, rows: [row(300)] })
        await clickHouse.insert({ table, rows: [row(301)] })
        expect(await ids("id BETWEEN 300 AND 301")).toEqual([300, 301])
      })

      test("of tens of megabytes is stored whole, and once", async () => {
        const text = "y".repeat(1_000)
        const rows = Array.from({ length: 30_000 }, (_, index) => JSON.stringify({ ...row(1_000_000 + index), text }))
        for (let attempt = 0; attempt < 2; attempt++)
          await clickHouse.insert({ table, rows, deduplicationToken: "large" })
        expect(await single({ sql: `SELECT count() FROM ${table} WHERE id >= 1000000` })).toBe(30_000)
        const fields = Array.from({ length: 30_000 }, (_, index) => `${2_000_000 + index}\t${text}`)
        for (let attempt = 0; attempt < 2; attempt++)
          await clickHouse.insert({
            table,
            columns: ["id", "text"],
            blocks: toBlocks(fields),
            deduplicationToken: "large fields",
          })
        expect(await single({ sql: `SELECT count() FROM ${table} WHERE id >= 2000000` })).toBe(30_000)
      })

      test("of no rows does nothing", async () => {
        await clickHouse.insert({ table: "no_such_table", rows: [] })
      })

      test("with a row that does not fit stores none of its rows", async () => {
        const rows = [row(400), JSON.stringify({ ...row(401), id: "not a number" })]
        await expect(clickHouse.insert({ table, rows })).rejects.toBeInstanceOf(EngineError)
        expect(await ids("id BETWEEN 400 AND 401")).toEqual([])
      })

      test("with a column that the table lacks is refused", async () => {
        const insert = clickHouse.insert({ table, rows: [{ ...row(500), typo: 1 }] })
        await expect(insert).rejects.toMatchObject({ engineName: "INCORRECT_DATA" })
      })
    })

    describe("a refusal", () => {
      test("of wrong syntax says where", async () => {
        const error = await refusal({ sql: "SELECT * FRM numbers(1)" })
        expect(error).toMatchObject({ engineCode: 62, engineName: "SYNTAX_ERROR" })
        expect(error.message).toMatch(/^Syntax error: failed at position \d+/)
      })

      test("of an unknown table is its sentence alone", async () => {
        const error = await refusal({ sql: "SELECT * FROM no_such_table" })
        expect(error).toMatchObject({ engineCode: 60, engineName: "UNKNOWN_TABLE" })
        expect(error.message).toMatch(/^Unknown table expression identifier 'no_such_table' in scope/)
        expect(error.message).not.toMatch(/DB::Exception|\(version|UNKNOWN_TABLE/)
      })

      test("keeps capitals in brackets that the sentence quotes", async () => {
        const error = await refusal({ sql: "SELECT length(EVENT_NAME) FROM numbers(1)" })
        expect(error.engineName).toBe("UNKNOWN_IDENTIFIER")
        expect(error.message).toContain("EVENT_NAME")
      })

      test.each([
        ["SELECT no_such_function(1)", "UNKNOWN_FUNCTION"],
        ["SELECT 1 + 'a'", "ILLEGAL_TYPE_OF_ARGUMENT"],
        ["SELECT throwIf(1, 'late') FROM numbers(10)", "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO"],
        ["SELECT 1; SELECT 2", "SYNTAX_ERROR"],
      ])("of %s is %s", async (sql, engineName) => {
        expect((await refusal({ sql })).engineName).toBe(engineName)
      })

      test("at the time limit is TIMEOUT_EXCEEDED", async () => {
        const error = await refusal({ sql: ENDLESS, settings: { max_execution_time: 1 } })
        expect(error).toMatchObject({ engineCode: 159, engineName: "TIMEOUT_EXCEEDED" })
      })

      test("at the memory limit is MEMORY_LIMIT_EXCEEDED", async () => {
        const error = await refusal({
          sql: "SELECT length(groupArray(number)) FROM numbers(100000000)",
          settings: { max_memory_usage: 20_000_000 },
        })
        expect(error).toMatchObject({ engineCode: 241, engineName: "MEMORY_LIMIT_EXCEEDED" })
      })
    })

    describe("a statement with readonly=1", () => {
      const settings = { readonly: 1, max_execution_time: 10 }
      test("reads", async () => {
        expect(await single({ sql: "SELECT {n:Int8} + 1", parameters: { n: 1 }, settings })).toBe(2)
      })

      test.each([
        ["SELECT * FROM file('/etc/passwd', 'LineAsString')"],
        ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"],
        ["SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')"],
        ["SELECT * FROM remote('127.0.0.1', system.one)"],
        ["SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')"],
        ["SELECT 1 SETTINGS readonly = 0"],
        ["SELECT 1 SETTINGS max_execution_time = 1000"],
      ])("refuses %s", async (sql) => {
        expect(["READONLY", "ACCESS_DENIED"]).toContain((await refusal({ sql, settings })).engineName)
      })

      test("refuses to write", async () => {
        const statements = [
          `INSERT INTO ${table} (id) VALUES (900)`,
          `ALTER TABLE ${table} DELETE WHERE 1`,
          `TRUNCATE TABLE ${table}`,
          `DROP TABLE ${table}`,
          `CREATE TABLE ${prefix}_other (a Int8) ENGINE = Memory`,
        ]
        for (const sql of statements)
          await expect(clickHouse.command({ sql, settings })).rejects.toMatchObject({ engineName: "READONLY" })
        expect(await ids("id = 900")).toEqual([])
      })
    })

    describe("a running statement", () => {
      test("shows its progress, leaves others alone and is stopped by its id", async () => {
        const queryId = `${prefix}-killed`
        const running = clickHouse.query({ sql: ENDLESS, queryId, settings: { readonly: 1 } })
        const outcome = running.catch((thrown: unknown) => thrown)
        const progress = await waitFor("rows to be read", async () => {
          const seen = await clickHouse.progress(queryId)
          return seen !== null && seen.rowsRead > 0 ? seen : null
        })
        expect(progress.estimatedRowsTotal).toBe(1_000_000_000_000)
        expect(progress.bytesRead).toBeGreaterThan(0)
        expect(progress.elapsedMs).toBeGreaterThan(0)
        expect(await single({ sql: "SELECT 1" })).toBe(1)
        await clickHouse.kill(queryId)
        expect(await outcome).toMatchObject({ engineCode: 394, engineName: "QUERY_WAS_CANCELLED" })
        expect(await clickHouse.progress(queryId)).toBeNull()
      })

      test("of several of one query shares their progress, and is stopped with the others", async () => {
        const query = `${prefix}-several`
        const running = [query, `${query}/2`].map((queryId) =>
          clickHouse.query({ sql: ENDLESS, queryId, settings: { readonly: 1 } }).catch((thrown: unknown) => thrown),
        )
        await waitFor("the second to run", () => clickHouse.progress(`${query}/2`))
        const both = await waitFor("both to read", async () => {
          const seen = await clickHouse.progress(query)
          return seen?.estimatedRowsTotal === 2_000_000_000_000 ? seen : null
        })
        expect(both.rowsRead).toBeGreaterThan(0)
        await clickHouse.kill(query)
        for (const outcome of await Promise.all(running))
          expect(outcome).toMatchObject({ engineName: "QUERY_WAS_CANCELLED" })
        expect(await clickHouse.progress(query)).toBeNull()
      })

      test("ends in the engine when its signal aborts", async () => {
        const queryId = `${prefix}-aborted`
        const abort = new AbortController()
        const running = clickHouse.query({ sql: ENDLESS, queryId, signal: abort.signal })
        const outcome = running.catch((thrown: unknown) => thrown)
        await waitFor("the statement to run", () => clickHouse.progress(queryId))
        const reason = new Error("no longer wanted")
        abort.abort(reason)
        expect(await outcome).toBe(reason)
        await waitFor("the engine to stop", async () => (await clickHouse.progress(queryId)) === null)
      })

      test("is not even sent when its signal has aborted already", async () => {
        const signal = AbortSignal.abort(new Error("too late"))
        await expect(clickHouse.query({ sql: "SELECT 1", signal })).rejects.toThrow("too late")
      })

      test("does not hold up inserts and short queries, even when there are many of it", async () => {
        const abort = new AbortController()
        const long = Array.from({ length: 12 }, (_, index) =>
          clickHouse
            .query({ sql: ENDLESS, queryId: `${prefix}-many-${index}`, signal: abort.signal })
            .catch(() => null),
        )
        await waitFor("the last one to run", () => clickHouse.progress(`${prefix}-many-11`))
        await clickHouse.insert({ table, rows: [row(600)] })
        expect(await ids("id = 600")).toEqual([600])
        abort.abort()
        await Promise.all(long)
      })

      test("that nobody runs has no progress, and stopping it does nothing", async () => {
        expect(await clickHouse.progress("nobody's")).toBeNull()
        await clickHouse.kill("nobody's ' OR 1 = 1 --")
      })
    })

    test("deletes by ALTER TABLE before it answers, with mutations_sync", async () => {
      await clickHouse.insert({ table, rows: [row(700), row(701)] })
      await clickHouse.command({
        sql: `ALTER TABLE ${table} DELETE WHERE id = {id:Int64}`,
        parameters: { id: 700 },
        settings: { mutations_sync: 2 },
      })
      expect(await ids("id BETWEEN 700 AND 701")).toEqual([701])
    })

    test("answers a ping", async () => {
      await clickHouse.ping()
    })
  })
}
