import type { Span } from "../nodes/nodes.js"
import type { SqlSource } from "../sql/sql.js"
import type { ResolvedColumn, Typed } from "./typed.js"

/** Something in a FROM that columns can be taken from. */
export interface Relation {
  /** What the user calls it; null for a subquery without a name. */
  readonly name: string | null
  readonly alias: string
  /** The table of the schema that it is; null for a subquery. */
  readonly tableName: string | null
  /** The value a name stands for, given without the relation's own name; null when it has no such column. */
  resolve(chain: readonly (string | number)[], at: Span): Typed | null
  /** Columns of `SELECT *`, in order. */
  allColumns(): ResolvedColumn[]
  /** Names to suggest for one that is unknown. */
  columnNames(): readonly string[]
  /** What the FROM reads. To be called after every column that is needed has been resolved. */
  toTable(): SqlSource["table"]
}
