import type { PropertyOwner } from "../schema/schema.js"
import type { SqlExpression, SqlType } from "../sql/sql.js"

/** A read of one property out of a column of JSON text; with an empty path the column itself. */
export interface PropertyRead {
  /** The column with the text. A function, so that it is selected only where something is read out of the text. */
  readonly column: () => SqlExpression
  /** The column that holds the text of one property by itself; null where none does. */
  readonly propertyColumn: (name: string) => SqlExpression | null
  readonly path: readonly (string | number)[]
  readonly owner: PropertyOwner
  readonly groupIndex: number | null
}

/** SQL with what is known of its value. */
export interface Typed {
  readonly sql: SqlExpression
  readonly type: SqlType
  /** Present when the value was read from JSON, so that it may be read deeper or turned into a number. */
  readonly property?: PropertyRead
  /**
   * The same time as it is stored, without the project's zone, so that comparisons can use ClickHouse's indexes. Only in a
   * WHERE: after a GROUP BY the stored column is not available.
   */
  readonly stored?: SqlExpression
}

export interface ResolvedColumn {
  /** What the user calls it. */
  readonly name: string
  /** What the SQL calls it. */
  readonly sqlName: string
  readonly typed: Typed
}
