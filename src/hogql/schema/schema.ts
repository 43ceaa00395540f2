import { toPropertyColumn } from "../../kernel/property-columns.js"
import type { TypeName } from "../sql/sql.js"

/** Whose properties a column of JSON holds; what a record says has no definitions of properties. */
export type PropertyOwner = "event" | "person" | "group" | "record"

export interface ColumnDefinition {
  readonly type: TypeName
  readonly nullable?: boolean
  /** Trusted SQL over the stored table, which is always called `r`. */
  readonly sql: string
  /** A join whose row the SQL uses, by its name; its alias is `j_<name>`. */
  readonly needs?: string
  /** For `Json` columns: whose property definitions type its keys. */
  readonly owner?: PropertyOwner
  /** For `Json` columns: by name of a property, trusted SQL that gives its text without reading the whole. */
  readonly properties?: Readonly<Record<string, string>>
  /** For `Json` columns: whether the project's spare columns hold some of its properties. */
  readonly hasSpares?: true
  /** Shown by `SELECT *`; default true. */
  readonly star?: boolean
}

/** A row of another table that a column of this one points at; joined only when asked for. */
export interface LazyJoin {
  readonly table: string
  /** Own column that holds the key. */
  readonly from: string
  /** Column of the other table that is equal to it. */
  readonly to: string
  /** Further trusted condition on the other table's stored rows. */
  readonly where?: string
  /** Columns of the other table that SQL of this one uses through `needs`. */
  readonly takes?: readonly string[]
  /** Which group type the joined rows are of. */
  readonly groupIndex?: number
  /** Not reachable by the user, only by `needs`. */
  readonly hidden?: boolean
}

/** A table of HogQL as data: what it reads, how its rows are made, and where one can go from it. */
export interface TableDefinition {
  readonly name: string
  /** What it holds, in one sentence. */
  readonly description?: string
  /** The stored table; "" where `isGiven`. */
  readonly stored: string
  /** Whether the engine merges rows of one key while it reads; its stored tuples are then read by `tupleElement`. */
  readonly isFinal?: true
  /** Its rows come with the query: `HogqlScope.records` has them. The column `r.row` is one of them as JSON text. */
  readonly isGiven?: true
  readonly columns: Readonly<Record<string, ColumnDefinition>>
  readonly joins?: Readonly<Record<string, LazyJoin>>
  /** `poe.properties` → column `poe_properties`. */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Names that stand for a way through joins: `person` → `pdi.person`. */
  readonly paths?: Readonly<Record<string, readonly string[]>>
  readonly where?: string
  readonly groupBy?: readonly string[]
  readonly having?: string
  /** Column that `{filters}` dates are about. */
  readonly timeColumn?: string
  /** What SAMPLE takes a share of: trusted SQL over the stored table. Rows with the same key are in together, or out. */
  readonly sampleKey?: string
  /**
   * Columns that are times of events of one session, whose stored rows are found by the time in its id
   * (`narrow-sessions.ts`).
   */
  readonly timesOfRow?: readonly string[]
  /** The same rows, worked out of others as long as these are not all there. */
  readonly recounted?: TableDefinition
  /** Not a table of HogQL; only joins use it. */
  readonly internal?: boolean
}

/** The properties that a stored table has a column for, as `ColumnDefinition.properties`. */
export const storedProperties = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `r.\`${toPropertyColumn(name)}\``]))
