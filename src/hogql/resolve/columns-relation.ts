import { queryError } from "../hogql-error.js"
import type { Span } from "../nodes/nodes.js"
import { column, type SqlSource } from "../sql/sql.js"
import type { Compilation } from "./compilation.js"
import { deeper, readProperty } from "./property.js"
import type { Relation } from "./relation.js"
import type { ResolvedColumn, Typed } from "./typed.js"

/** Rows whose columns are known from the start: those of a subquery, a WITH item or a table function. */
export class ColumnsRelation implements Relation {
  readonly alias: string
  readonly tableName = null

  constructor(
    private readonly columns: readonly ResolvedColumn[],
    private readonly table: SqlSource["table"],
    private readonly compilation: Compilation,
    readonly name: string | null,
  ) {
    this.alias = compilation.freshName("t")
  }

  resolve(chain: readonly (string | number)[], at: Span): Typed | null {
    const [first, ...rest] = chain
    const found = this.columns.find((item) => item.name === first)
    if (found === undefined) return null
    const value = this.outside(found)
    if (rest.length === 0) return value
    if (this.table.kind === "numbers" || this.table.kind === "recursiveTable") return null
    if (value.property?.path.length !== 0) throw queryError(`Unable to resolve field: ${chain.join(".")}`, at)
    return readProperty(
      rest.reduce((read, part) => deeper(read, part, at), value.property),
      this.compilation.scope,
    )
  }

  allColumns(): ResolvedColumn[] {
    return this.columns.map((item) => ({ ...item, typed: this.outside(item) }))
  }

  columnNames(): string[] {
    return this.columns.map((item) => item.name)
  }

  toTable(): SqlSource["table"] {
    return this.table
  }

  /** A column as seen from outside: whole JSON columns stay readable, single properties are plain values now. */
  private outside({ sqlName, typed: { property, type } }: ResolvedColumn): Typed {
    const sql = column(this.alias, sqlName)
    return property?.path.length === 0
      ? { sql, type, property: { ...property, column: () => sql, propertyColumn: () => null } }
      : { sql, type }
  }
}
