import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { column, type NumbersTable, type RecursiveTable, type SqlQuery, type } from "../sql/sql.js"
import type { Compilation, ResolvedQuery } from "./compilation.js"
import type { OwnRows } from "./environment.js"
import { deeper, readProperty } from "./property.js"
import type { Relation } from "./relation.js"
import type { ResolvedColumn, Typed } from "./typed.js"

/** A subquery or a WITH item in a FROM. */
export class SubqueryRelation implements Relation {
  readonly name: string | null
  readonly alias: string
  private readonly query: ResolvedQuery
  private readonly compilation: Compilation

  constructor(query: ResolvedQuery, compilation: Compilation, name: string | null) {
    this.query = query
    this.compilation = compilation
    this.name = name
    this.alias = compilation.freshName("t")
  }

  resolve(chain: readonly (string | number)[], at: Span): Typed | null {
    const [first, ...rest] = chain
    const found = this.query.columns.find((item) => item.name === first)
    if (found === undefined) return null
    const value = this.outside(found)
    if (rest.length === 0) return value
    if (value.property?.path.length !== 0) throw queryError(`Unable to resolve field: ${chain.join(".")}`, at)
    return readProperty(
      rest.reduce((read, part) => deeper(read, part, at), value.property),
      this.compilation.scope,
    )
  }

  allColumns(): ResolvedColumn[] {
    return this.query.columns.map((item) => ({ ...item, typed: this.outside(item) }))
  }

  columnNames(): string[] {
    return this.query.columns.map((item) => item.name)
  }

  toTable(): SqlQuery {
    return this.query.sql
  }

  /** A column as seen from outside: whole JSON columns stay readable, single properties are plain values now. */
  private outside(item: ResolvedColumn): Typed {
    const sql = column(this.alias, item.sqlName)
    const { property, type: columnType } = item.typed
    return property?.path.length === 0
      ? { sql, type: columnType, property: { ...property, column: sql } }
      : { sql, type: columnType }
  }
}

/** A recursive WITH item, read inside of itself. */
export class OwnRowsRelation implements Relation {
  readonly name: string | null
  readonly alias: string
  private readonly rows: OwnRows

  constructor(rows: OwnRows, compilation: Compilation, name: string) {
    this.rows = rows
    this.name = name
    this.alias = compilation.freshName("t")
  }

  resolve([first, ...rest]: readonly (string | number)[]): Typed | null {
    const found = rest.length === 0 ? this.allColumns().find((item) => item.name === first) : undefined
    return found?.typed ?? null
  }

  allColumns(): ResolvedColumn[] {
    return this.rows.columns.map((item) => ({
      ...item,
      typed: { sql: column(this.alias, item.sqlName), type: item.typed.type },
    }))
  }

  columnNames(): string[] {
    return this.rows.columns.map((item) => item.name)
  }

  toTable(): RecursiveTable {
    return { kind: "recursiveTable", name: this.rows.sqlName }
  }
}

/** The rows of a table function: one column of whole numbers. */
export class NumbersRelation implements Relation {
  readonly name: string | null
  readonly alias: string
  private readonly table: NumbersTable
  private readonly shown: string

  /** @param shown what the query calls the column */
  constructor(table: NumbersTable, shown: string, compilation: Compilation, name: string | null) {
    this.table = table
    this.shown = shown
    this.name = name
    this.alias = compilation.freshName("t")
  }

  resolve(chain: readonly (string | number)[]): Typed | null {
    return chain.length === 1 && chain[0] === this.shown ? this.value() : null
  }

  allColumns(): ResolvedColumn[] {
    return [{ name: this.shown, sqlName: this.shown, typed: this.value() }]
  }

  columnNames(): string[] {
    return [this.shown]
  }

  toTable(): NumbersTable {
    return this.table
  }

  private value(): Typed {
    const name = this.table.name === "numbers" ? "number" : "generate_series"
    return { sql: column(this.alias, name), type: type("Integer") }
  }
}
