import type { ClickHouse, JsonInsert, Statement } from "../../../src/platform/clickhouse/click-house.js"

/** Remembers the statements of migrations instead of running them, and crashes where it is told to. */
export class RecordingClickHouse implements ClickHouse {
  readonly statements: string[] = []
  #remembered: { name: string; checksum: string }[] = []
  #stepsUntilCrash = Number.POSITIVE_INFINITY
  #crashAfterRemembering = false

  /** Steps are the statements and the remembering of migrations, counted from 1; the crash happens once. */
  crashBeforeStep(step: number): void {
    this.#stepsUntilCrash = step
  }

  crashAfterRemembering(): void {
    this.#crashAfterRemembering = true
  }

  appliedNames(): string[] {
    return this.#remembered.map(({ name }) => name)
  }

  async command({ sql }: Statement): Promise<void> {
    if (sql.includes("schema_migrations")) return
    this.#step()
    this.statements.push(sql)
  }

  async insert({ rows }: JsonInsert): Promise<void> {
    this.#step()
    this.#remembered.push(...(rows as { name: string; checksum: string }[]))
    if (!this.#crashAfterRemembering) return
    this.#crashAfterRemembering = false
    throw new Error("crashed")
  }

  async rows<Row extends object>(): Promise<Row[]> {
    return this.#remembered as Row[]
  }

  query(): never {
    throw new Error("migrations read rows as objects")
  }
  stream(): never {
    throw new Error("migrations read rows as objects")
  }
  insertParquet(): never {
    throw new Error("migrations insert rows as objects")
  }
  async progress(): Promise<null> {
    return null
  }
  async kill(): Promise<void> {}
  countStatements() {
    return { running: 0, waiting: 0 }
  }
  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  #step(): void {
    if (--this.#stepsUntilCrash > 0) return
    this.#stepsUntilCrash = Number.POSITIVE_INFINITY
    throw new Error("crashed")
  }
}
