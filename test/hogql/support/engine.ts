import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Session } from "chdb"
import type { CompiledQuery } from "../../../src/hogql/index.js"
import { QUERY_SETTINGS } from "../../../src/hogql/index.js"

export interface EngineAnswer {
  readonly types: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** The real ClickHouse engine in this process, on a directory of its own. One per test file: close it. */
export class TestEngine {
  private readonly directory = mkdtempSync(join(tmpdir(), "waymark-hogql-"))
  private readonly session = new Session(this.directory)

  constructor() {
    const migrations = join(process.cwd(), "migrations/clickhouse")
    for (const file of readdirSync(migrations).sort()) {
      const text = readFileSync(join(migrations, file), "utf8").replace(/^\s*--.*$/gm, "")
      for (const statement of text.split(/;\s*(?:\n|$)/)) if (statement.trim() !== "") this.session.query(statement)
    }
  }

  insert(table: string, rows: readonly Record<string, unknown>[]): void {
    if (rows.length === 0) return
    this.session.query(
      `INSERT INTO ${table} SETTINGS date_time_input_format='best_effort' FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`,
    )
  }

  /** Keeps the rows of a table as they were inserted. */
  stopMerges(table: string): void {
    this.session.query(`SYSTEM STOP MERGES ${table}`)
  }

  empty(table: string): void {
    this.session.query(`TRUNCATE TABLE ${table}`)
  }

  /** Runs a compiled query as the product does: read-only and bounded, by a time that a busy machine does not reach. */
  run(compiled: CompiledQuery, maxSeconds = 30): EngineAnswer {
    const settings = Object.entries({ ...QUERY_SETTINGS, max_execution_time: maxSeconds })
      .map(([name, value]) => `${name}=${typeof value === "string" ? `'${value}'` : value}`)
      .join(", ")
    const sql = `${compiled.sql} SETTINGS ${settings}, output_format_json_quote_64bit_integers=0, date_time_output_format='iso'`
    const answer = JSON.parse(this.session.queryBind(sql, compiled.parameters, "JSONCompact")) as {
      meta: { type: string }[]
      data: unknown[][]
    }
    return { types: answer.meta.map((item) => item.type), rows: answer.data }
  }

  close(): void {
    this.session.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
