import { describe, expect, test } from "@jest/globals"
import { EngineException } from "../../../src/platform/embedded/clickhouse-child/engine-exception.js"
import { scanStatement } from "../../../src/platform/embedded/clickhouse-child/statement-scan.js"

const scan = (sql: string) => scanStatement(Buffer.from(sql).toString("latin1"))

describe("scanning a statement", () => {
  test.each([
    ["select 1", "SELECT"],
    ["-- first\n /* then */ # last\n// really last\nWITH x AS (SELECT 1) SELECT 1", "WITH"],
    ["\u00a0\u2003SELECT 1", "SELECT"],
    ["", ""],
    ["-- nothing", ""],
  ])("finds the first word of %p", (sql, verb) => {
    expect(scan(sql).verb).toBe(verb)
  })

  test.each([
    ["SELECT 1 FORMAT JSONCompact", "JSONCompact"],
    ["SELECT 'FORMAT x' AS format_, 1 SETTINGS a = 1\nformat TSV;", "TSV"],
    ["SELECT 1", null],
    ["SELECT 1 -- FORMAT JSON", null],
  ])("finds the format of %p", (sql, format) => {
    expect(scan(sql).format).toBe(format)
  })

  test.each([
    ['INSERT INTO t FORMAT JSONEachRow\n{"a;b": 1}', '{"a;b": 1}'],
    ["INSERT INTO t (a, b) SETTINGS x = 1 FORMAT CSV\r\n1,2", "1,2"],
    ["insert into t values ('a;b'); not scanned", " ('a;b'); not scanned"],
    ["INSERT INTO t FORMAT TSV \t\n\tx", "\tx"],
  ])("finds where the rows of %p begin", (sql, rows) => {
    expect(sql.slice(scan(sql).dataStart ?? 0)).toBe(rows)
  })

  test("finds no rows in an INSERT that selects them", () => {
    expect(scan("INSERT INTO t SELECT 'VALUES' FROM s").dataStart).toBeNull()
  })

  test.each([
    ["KILL QUERY WHERE query_id = 'a' ASYNC", true],
    ["SELECT read_rows FROM system.processes", true],
    ["SELECT 1", false],
    ["SELECT * FROM events", false],
  ])("tells whether %p watches or stops others", (sql, isControl) => {
    expect(scan(sql).isControl).toBe(isControl)
  })

  test.each([
    "SELECT 1; SELECT 2",
    "SELECT 1;;",
    "SELECT ';' ; DROP TABLE t",
    "SELECT 'it''s' ; x",
    "SELECT 'back\\\\' ; x",
    'SELECT "a""b" ; x',
    "SELECT `a``;` ; x",
    "SELECT $tag$;$tag$ ; x",
    "SELECT ‘;’ ; x",
  ])("refuses several statements: %p", (sql) => {
    expect(() => scan(sql)).toThrow(/Multi-statements are not allowed/)
  })

  test.each([
    "SELECT ';'",
    "SELECT 'a\\'; b' ;",
    "SELECT 1 -- ; x\n;\n-- end",
    "SELECT 1 /* ; x */ ;",
    "SELECT $$ ; ' $$",
    'SELECT `;`, ";", “;”',
    "SELECT ‘it's ; fine’",
  ])("takes one statement with semicolons elsewhere: %p", (sql) => {
    expect(scan(sql).verb).toBe("SELECT")
  })

  test.each([
    "SELECT file('/etc/passwd')",
    "SELECT file /* x */ ('/etc/passwd')",
    "SELECT `file`('/etc/passwd')",
    'SELECT "fil\\e"(1)',
    "SELECT “file”('/etc/passwd')",
    "SELECT file\u00a0('/etc/passwd')",
    "SELECT * FROM file('/etc/passwd')",
    "SELECT * APPLY(file) FROM x",
    "SELECT * apply file FROM x",
    "SELECT arrayMap(file, ['/etc/passwd'])",
    "SELECT 1 // '\n, file('/etc/passwd')",
    "SELECT 1 into\noutfile 'x'",
    "INSERT INTO t FROM /**/ INFILE 'x' FORMAT CSV",
  ])("refuses to reach files: %p", (sql) => {
    expect(() => scan(sql)).toThrow(EngineException)
    expect(() => scan(sql)).toThrow(/ACCESS_DENIED/)
  })

  test.each([
    "SELECT 'file(' AS file, count(file) AS outfile FROM x ORDER BY file",
    "SELECT profile(1), `a.file` FROM x",
    "SELECT x AS `into outfile` FROM y",
  ])("leaves names alone that only look so: %p", (sql) => {
    expect(scan(sql).verb).toBe("SELECT")
  })

  test("ends on any text", () => {
    for (const tail of ["'", '"', "`", "'\\", "/*", "$x$", "\\", "\0", "‘", "“", "1e", "#", "é"])
      expect(scan(`SELECT ${tail}`).verb).toBe("SELECT")
  })

  test("reads a literal of many megabytes", () => {
    expect(scan(`SELECT '${"x''\\'y".repeat(500_000)}'`).verb).toBe("SELECT")
  })
})
