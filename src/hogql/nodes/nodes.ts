/** Where a node stands in the query text, in UTF-16 units; `{0, 0}` for nodes made by a program. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const NOWHERE: Span = Object.freeze({ start: 0, end: 0 })

interface Node<Kind extends string> {
  readonly kind: Kind
  readonly at: Span
}

/** Whole numbers beyond 53 bits are bigints, up to 64 bits. */
export type ConstantValue = string | number | bigint | boolean | null

export interface Constant extends Node<"constant"> {
  readonly value: ConstantValue
  /** Set for a whole number written as a fraction, `1.0`, which has another type in ClickHouse. */
  readonly isFraction?: true
}
/** A name with its parts, outermost first: `e.person.properties.email`. The part `*` asks for all columns. */
export interface Field extends Node<"field"> {
  readonly chain: readonly (string | number)[]
}
export interface Alias extends Node<"alias"> {
  readonly name: string
  readonly expression: Expression
}
/** A function or aggregate; `parameters` are those of `quantile(0.5)(x)`, null when there is one pair of brackets. */
export interface Call extends Node<"call"> {
  readonly name: string
  readonly args: readonly Expression[]
  readonly parameters: readonly Expression[] | null
  readonly distinct: boolean
  readonly filter: Expression | null
  readonly order: CallOrder | null
}
/** In which order an aggregate takes its rows: `f(a ORDER BY b)`, or `f(a) WITHIN GROUP (ORDER BY b)`. */
export interface CallOrder {
  readonly items: readonly OrderItem[]
  readonly isWithinGroup: boolean
}
/** The functions that the signs stand for, as HogQL and the engine call them. */
export const ARITHMETIC_FUNCTIONS = {
  "+": "plus",
  "-": "minus",
  "*": "multiply",
  "/": "divide",
  "%": "modulo",
} as const
export type ArithmeticOperator = keyof typeof ARITHMETIC_FUNCTIONS
export interface Arithmetic extends Node<"arithmetic"> {
  readonly operator: ArithmeticOperator
  readonly left: Expression
  readonly right: Expression
}
type NegatableOperator = "like" | "ilike" | "in" | "in cohort"
export type CompareOperator =
  | ("==" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~" | "=~*" | "!~*")
  | (NegatableOperator | `not ${NegatableOperator}`)
export interface Compare extends Node<"compare"> {
  readonly operator: CompareOperator
  readonly left: Expression
  readonly right: Expression
}
export interface Between extends Node<"between"> {
  readonly expression: Expression
  readonly low: Expression
  readonly high: Expression
  readonly negated: boolean
}
export interface Logical extends Node<"and" | "or"> {
  readonly expressions: readonly Expression[]
}
export interface Not extends Node<"not"> {
  readonly expression: Expression
}
/** `[a, b]` and `(a, b)`. */
export interface Sequence extends Node<"array" | "tuple"> {
  readonly items: readonly Expression[]
}
export interface Dictionary extends Node<"dictionary"> {
  readonly items: readonly (readonly [Expression, Expression])[]
}
/** `a[i]`: an element of an array (from 1) or a property by name. */
export interface ElementAccess extends Node<"element"> {
  readonly expression: Expression
  readonly index: Expression
}
/** `a[from:to]`, both ends included, counted from 1. */
export interface Slice extends Node<"slice"> {
  readonly expression: Expression
  readonly from: Expression | null
  readonly to: Expression | null
}
export interface TupleAccess extends Node<"tupleAccess"> {
  readonly expression: Expression
  readonly index: number
}
export interface Lambda extends Node<"lambda"> {
  readonly args: readonly string[]
  readonly body: Expression
}
export interface Placeholder extends Node<"placeholder"> {
  readonly expression: Expression
}
export interface Cast extends Node<"cast"> {
  readonly expression: Expression
  readonly typeName: string
}
/** `COLUMNS(a, b)`: the columns of the list, each by itself. */
export interface ColumnList extends Node<"columnList"> {
  readonly items: readonly Expression[]
}
/** `* EXCLUDE (a, b)` and `COLUMNS('pattern')`. */
export interface AllColumns extends Node<"allColumns"> {
  readonly exclude: readonly string[]
  /** A regular expression that names must fit; null for all. */
  readonly pattern: string | null
}
export interface WindowCall extends Node<"windowCall"> {
  readonly name: string
  readonly args: readonly Expression[]
  readonly parameters: readonly Expression[] | null
  /** Name of a window of the WINDOW clause, or the window itself. */
  readonly over: string | Window
}

export type Expression =
  | Constant
  | Field
  | Alias
  | Call
  | Arithmetic
  | Compare
  | Between
  | Logical
  | Not
  | Sequence
  | Dictionary
  | ElementAccess
  | Slice
  | TupleAccess
  | Lambda
  | Placeholder
  | Cast
  | ColumnList
  | AllColumns
  | WindowCall
  | Query

export interface OrderItem extends Node<"order"> {
  readonly expression: Expression
  readonly descending: boolean
  readonly nulls: "first" | "last" | null
}
export const FRAME_UNITS = ["Second", "Minute", "Hour", "Day", "Week"] as const
export interface FrameBound {
  readonly kind: "preceding" | "following" | "current row"
  /** Null is unbounded. */
  readonly rows: number | null
  /** Of an INTERVAL, of which `rows` is the number. */
  readonly unit?: (typeof FRAME_UNITS)[number]
}
export interface Window extends Node<"window"> {
  /** The window of the WINDOW clause that this one adds to: `(w ORDER BY a)`. */
  readonly base?: string
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly OrderItem[]
  readonly frame: {
    readonly unit: "ROWS" | "RANGE"
    readonly start: FrameBound
    readonly end: FrameBound | null
  } | null
}
export interface CommonTable extends Node<"commonTable"> {
  readonly name: string
  /** What its columns are called instead: `t(a, b) AS (…)`. */
  readonly columns: readonly string[] | null
  /** Whether the query may read the rows that it gave before. */
  readonly isRecursive: boolean
  readonly query: Query
}
export interface CommonValue extends Node<"commonValue"> {
  readonly name: string
  readonly expression: Expression
}
export const JOIN_TYPES = ["INNER", "LEFT", "RIGHT", "FULL", "CROSS"] as const
export type JoinType = (typeof JOIN_TYPES)[number]
export interface JoinOperator {
  readonly type: JoinType
  readonly strictness: "ANY" | "ASOF" | "SEMI" | "ANTI" | null
}
/** `SAMPLE 1/10 OFFSET 1/2`: numbers, quotients of numbers, or placeholders not filled yet. */
export interface Sample {
  readonly share: Expression
  readonly offset: Expression | null
}
export interface TableSource extends Node<"source"> {
  /** A table's name with its parts, a subquery, or a placeholder not filled yet. */
  readonly table: Field | Query | Placeholder
  /** Arguments when the table is a function such as `numbers(10)`. */
  readonly args: readonly Expression[] | null
  readonly alias: string | null
  /** What the columns of a subquery are called instead: `(SELECT …) AS t(a, b)`. */
  readonly columns: readonly string[] | null
  readonly sample: Sample | null
  /** Null for the first source of a FROM. */
  readonly join: JoinOperator | null
  readonly on: Expression | null
  readonly using: readonly Expression[] | null
}
export type GroupMode = "all" | "cube" | "rollup" | "sets"
export interface Select extends Node<"select"> {
  readonly with: readonly (CommonTable | CommonValue)[]
  readonly distinct: boolean
  readonly columns: readonly Expression[]
  readonly from: readonly TableSource[]
  readonly arrayJoin: { readonly left: boolean; readonly items: readonly Expression[] } | null
  readonly prewhere: Expression | null
  readonly where: Expression | null
  /** With `groupMode` "sets" each one is a tuple, a set of its own. */
  readonly groupBy: readonly Expression[]
  /** `all`: every column without an aggregate. Null: exactly what is written. */
  readonly groupMode: GroupMode | null
  readonly having: Expression | null
  readonly windows: readonly (readonly [string, Window])[]
  readonly qualify: Expression | null
  readonly orderBy: readonly OrderItem[]
  readonly limitBy: {
    readonly count: Expression
    readonly offset: Expression | null
    readonly by: readonly Expression[]
  } | null
  readonly limit: Expression | null
  readonly offset: Expression | null
  readonly withTies: boolean
}
/** INTERSECT and EXCEPT keep rows as often as they are there, as the engine does. */
export type SetOperator =
  | ByNameOperator
  | "UNION ALL"
  | "UNION DISTINCT"
  | "INTERSECT"
  | "INTERSECT DISTINCT"
  | "EXCEPT"
/** Columns of one name are one column, wherever they stand; who has none of that name has null there. */
export type ByNameOperator = "UNION ALL BY NAME" | "UNION DISTINCT BY NAME"
export interface SelectSet extends Node<"selectSet"> {
  readonly first: Query
  readonly rest: readonly { readonly operator: SetOperator; readonly query: Query }[]
}
export type Query = Select | SelectSet
