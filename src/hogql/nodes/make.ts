import type {
  Alias,
  Arithmetic,
  ArithmeticOperator,
  Call,
  Compare,
  CompareOperator,
  Constant,
  ConstantValue,
  Expression,
  Field,
  Lambda,
  Logical,
  Not,
  OrderItem,
  Select,
  Sequence,
  Span,
  TableSource,
} from "./nodes.js"
import { NOWHERE } from "./nodes.js"

/** Makers of nodes for code that builds queries without text (insights, filters). Nodes are never changed after. */
export const constant = (value: ConstantValue, at: Span = NOWHERE): Constant => ({ kind: "constant", at, value })

/** A name with its parts, such as `properties.$browser`; numbers are places in tuples and arrays, from 1 on. */
export const field = (chain: readonly (string | number)[], at: Span = NOWHERE): Field => ({ kind: "field", at, chain })

/** `expression AS name`. */
export const alias = (name: string, expression: Expression, at: Span = NOWHERE): Alias => ({
  kind: "alias",
  at,
  name,
  expression,
})

/** `name(args)`; `parameters` stand in brackets of their own, as in `quantile(0.9)(x)`. */
export const call = (
  name: string,
  args: readonly Expression[] = [],
  options: Partial<Pick<Call, "parameters" | "distinct" | "filter" | "order">> = {},
  at: Span = NOWHERE,
): Call => ({ kind: "call", at, name, args, parameters: null, distinct: false, filter: null, order: null, ...options })

/** `left operator right`. */
export const arithmetic = (
  operator: ArithmeticOperator,
  left: Expression,
  right: Expression,
  at: Span = NOWHERE,
): Arithmetic => ({ kind: "arithmetic", at, operator, left, right })

/** `left operator right`, true or false. */
export const compare = (
  operator: CompareOperator,
  left: Expression,
  right: Expression,
  at: Span = NOWHERE,
): Compare => ({ kind: "compare", at, operator, left, right })

/** All of them hold. */
export const and = (expressions: readonly Expression[], at: Span = NOWHERE): Logical => ({
  kind: "and",
  at,
  expressions,
})

/** One of them holds. */
export const or = (expressions: readonly Expression[], at: Span = NOWHERE): Logical => ({ kind: "or", at, expressions })

/** It does not hold. */
export const not = (expression: Expression, at: Span = NOWHERE): Not => ({ kind: "not", at, expression })

/** `(a, b)`, of any types. */
export const tuple = (items: readonly Expression[], at: Span = NOWHERE): Sequence => ({ kind: "tuple", at, items })

/** `[a, b]`. */
export const array = (items: readonly Expression[], at: Span = NOWHERE): Sequence => ({ kind: "array", at, items })

/** `(args) -> body`. */
export const lambda = (args: readonly string[], body: Expression, at: Span = NOWHERE): Lambda => ({
  kind: "lambda",
  at,
  args,
  body,
})

/** One item of `ORDER BY`; nulls where ClickHouse puts them. */
export const order = (expression: Expression, descending = false, at: Span = NOWHERE): OrderItem => ({
  kind: "order",
  at,
  expression,
  descending,
  nulls: null,
})

/** A table or subquery of a FROM; `join` null makes it the first one. */
export const source = (
  table: TableSource["table"],
  options: Partial<Omit<TableSource, "kind" | "table">> = {},
): TableSource => ({
  kind: "source",
  at: NOWHERE,
  args: null,
  alias: null,
  columns: null,
  sample: null,
  join: null,
  on: null,
  using: null,
  ...options,
  table,
})

/** A SELECT with everything absent that is not given. */
export const select = (parts: Partial<Omit<Select, "kind">> & Pick<Select, "columns">): Select => ({
  kind: "select",
  at: NOWHERE,
  with: [],
  distinct: false,
  from: [],
  arrayJoin: null,
  prewhere: null,
  where: null,
  groupBy: [],
  groupMode: null,
  having: null,
  windows: [],
  qualify: null,
  orderBy: [],
  limitBy: null,
  limit: null,
  offset: null,
  withTies: false,
  ...parts,
})
