/** What the compiler knows of a value: enough to choose comparisons, property reads and time zones. */
export type TypeName =
  | "String"
  | "Integer"
  | "Float"
  | "Boolean"
  | "DateTime"
  | "Date"
  | "UUID"
  | "Array"
  | "Tuple"
  | "Interval"
  | "Json"
  | "Null"
  | "Unknown"

export interface SqlType {
  readonly name: TypeName
  readonly nullable: boolean
  /** Of the elements of a tuple, where the query shows them. */
  readonly items?: readonly SqlType[]
  /** Of what an array holds, where it is known. */
  readonly of?: SqlType
}

/**
 * SQL as a tree. Text of the user only ever is a `text` (sent as a bound parameter) or a `number` (printed again from its
 * value). Every name in it is generated or comes from the schema; `trusted` is a fragment written in this folder.
 */
export type SqlExpression =
  | { readonly kind: "text"; readonly value: string }
  | {
      readonly kind: "number"
      readonly value: number | bigint
      /** Printed as a fraction though it is whole. */
      readonly isFraction?: true
    }
  | { readonly kind: "trusted"; readonly sql: string }
  | { readonly kind: "column"; readonly source: string | null; readonly name: string }
  | SqlSpare
  | SqlCall
  | { readonly kind: "aliased"; readonly expression: SqlExpression; readonly name: string }
  | { readonly kind: "lambda"; readonly args: readonly string[]; readonly body: SqlExpression }
  | { readonly kind: "window"; readonly call: SqlExpression; readonly over: SqlWindow }
  | { readonly kind: "query"; readonly query: SqlQuery }

export interface SqlCall {
  readonly kind: "call"
  readonly name: string
  readonly parameters: readonly SqlExpression[] | null
  readonly args: readonly SqlExpression[]
  readonly distinct?: boolean
}

/**
 * A property of a stored event, of the source `r`, that has a spare column: out of it where the row has one, else out
 * of the text. See `read-spares-apart.ts`.
 */
export interface SqlSpare {
  readonly kind: "spare"
  /** Of the column, from 1 on. */
  readonly spare: number
  readonly property: string
}

export interface SqlOrder {
  readonly expression: SqlExpression
  readonly descending: boolean
  /** Null leaves it to the engine, which puts nulls last. */
  readonly nulls: "first" | "last" | null
}
export interface SqlWindow {
  readonly partitionBy: readonly SqlExpression[]
  readonly orderBy: readonly SqlOrder[]
  /** Made of fixed words and numbers. */
  readonly frame: string | null
}
/** A table that the engine stores. May only stand first in a FROM, and the printer refuses it without its guard. */
export interface RealTable {
  readonly kind: "realTable"
  readonly name: string
}
export interface NumbersTable {
  readonly kind: "numbers"
  readonly name: "numbers" | "generate_series"
  readonly args: readonly SqlExpression[]
}
/** The rows that a recursive query gave before; only inside of it. */
export interface RecursiveTable {
  readonly kind: "recursiveTable"
  readonly name: string
}
export interface SqlSource {
  readonly table: RealTable | NumbersTable | RecursiveTable | SqlQuery
  readonly alias: string
  /** Whether rows of one key are merged while reading a real table. Conditions beside the guard must be on the key. */
  readonly isFinal?: true
  /** Null for the first source. */
  readonly join: string | null
  readonly on: SqlExpression | null
}
export interface SqlSelect {
  readonly kind: "sqlSelect"
  /** Whether it only renames columns of one stored table, so that it may be inlined into the SELECT around it. */
  readonly isReading?: true
  /** Columns of it that are times of events of one session; see `narrow-sessions.ts`. */
  readonly timesOfRow?: readonly string[]
  /** A WITH RECURSIVE in front: a query that may read itself by this name. */
  readonly recursive: { readonly name: string; readonly query: SqlQuery } | null
  readonly columns: readonly SqlExpression[]
  readonly distinct: boolean
  readonly from: readonly SqlSource[]
  readonly arrayJoin: { readonly left: boolean; readonly items: readonly SqlExpression[] } | null
  /** What keeps the real table at the head of `from` to one project; put there by `guard` alone. */
  readonly guard?: SqlExpression
  /** Conditions that are evaluated together with the guard; see `predicate-pushdown.ts`. */
  readonly pushed?: readonly SqlExpression[]
  readonly where: SqlExpression | null
  readonly groupBy: readonly SqlExpression[]
  /** How `groupBy` is meant; `sets` are tuples. Null is a plain list. */
  readonly groupMode: "all" | "cube" | "rollup" | "sets" | null
  readonly having: SqlExpression | null
  readonly qualify: SqlExpression | null
  readonly orderBy: readonly SqlOrder[]
  readonly limitBy: { readonly count: number; readonly offset: number; readonly by: readonly SqlExpression[] } | null
  readonly limit: number | null
  readonly offset: number | null
  readonly withTies: boolean
}
export interface SqlSet {
  readonly kind: "sqlSet"
  readonly first: SqlQuery
  readonly rest: readonly { readonly operator: string; readonly query: SqlQuery }[]
}
export type SqlQuery = SqlSelect | SqlSet

/** A type without parts. */
export const type = (name: TypeName, nullable = false): SqlType => ({ name, nullable })
/** A tuple, type by type. */
export const tupleType = (items: readonly SqlType[]): SqlType => ({ name: "Tuple", nullable: false, items })
/** An array; of anything when its items are unknown. */
export const arrayType = (of: SqlType | undefined): SqlType => ({ ...type("Array"), ...(of && { of }) })
export const UNKNOWN = type("Unknown", true)

/** A value of text: printed as a bound parameter, never as SQL. */
export const sqlText = (value: string): SqlExpression => ({ kind: "text", value })
/** A number as it is; bigints keep all 64 bits. */
export const sqlNumber = (value: number | bigint): SqlExpression => ({ kind: "number", value })
/** A fragment written in this folder; never made from anything that a caller gave. */
export const trusted = (sql: string): SqlExpression => ({ kind: "trusted", sql })
/** A column of the source with this alias; without an alias when null. */
export const column = (source: string | null, name: string): SqlExpression => ({ kind: "column", source, name })
/** A call of a ClickHouse function by its name there. Which functions a query may call is decided before. */
export const sqlCall = (name: string, ...args: readonly SqlExpression[]): SqlExpression => ({
  kind: "call",
  name,
  parameters: null,
  args,
})
/** One expression alone, else a call over all of them. */
export const sqlJoin = (name: "and" | "or" | "concat", expressions: readonly SqlExpression[]): SqlExpression => {
  const [only, ...others] = expressions
  return only !== undefined && others.length === 0 ? only : sqlCall(name, ...expressions)
}
/** `expression AS name`. */
export const aliased = (expression: SqlExpression, name: string): SqlExpression => ({
  kind: "aliased",
  expression,
  name,
})

/** A SELECT that has only the clauses given. */
export const sqlSelect = (parts: Partial<Omit<SqlSelect, "kind">> & Pick<SqlSelect, "columns">): SqlSelect => ({
  kind: "sqlSelect",
  recursive: null,
  distinct: false,
  from: [],
  arrayJoin: null,
  where: null,
  groupBy: [],
  groupMode: null,
  having: null,
  qualify: null,
  orderBy: [],
  limitBy: null,
  limit: null,
  offset: null,
  withTies: false,
  ...parts,
})
