import { queryError, syntaxError } from "../hogql-error.js"
import * as make from "../nodes/make.js"
import type {
  ArithmeticOperator,
  CommonTable,
  CommonValue,
  CompareOperator,
  Expression,
  Field,
  FrameBound,
  JoinOperator,
  JoinType,
  Lambda,
  OrderItem,
  Placeholder,
  Query,
  Select,
  SetOperator,
  Span,
  TableSource,
  Window,
} from "../nodes/nodes.js"
import { JOIN_TYPES } from "../nodes/nodes.js"
import type { RawNode } from "./grammar.js"
import type { ParsedPiece } from "./parsed-piece.js"

/** Makes nodes of a whole parsed statement. Throws HogqlError for parts of the grammar that are not supported. */
export function buildQuery(piece: ParsedPiece): Query {
  const query = buildQueryNode(piece, piece.raw)
  const unused = piece.unusedPlace()
  if (unused !== null)
    throw syntaxError("Syntax error: brackets are not possible here.", { start: unused, end: unused + 1 })
  return query
}

/** Makes a SELECT or a set of them. */
function buildQueryNode(piece: ParsedPiece, raw: RawNode): Query {
  const at = piece.span(raw)
  if (raw.node === "SelectQuery") {
    const child = queryInPlaceOf(piece, raw)
    return child === undefined ? buildSelect(piece, raw) : buildQueryNode(child, child.raw)
  }
  if (raw.node !== "SelectSetQuery") throw syntaxError("A query must be a SELECT.", at)
  return {
    kind: "selectSet",
    at,
    first: buildQueryNode(piece, raw.initial_select_query as RawNode),
    rest: (raw.subsequent_select_queries as RawNode[]).map((item) => ({
      operator: setOperator(item.set_operator as string, piece.span(item.select_query as RawNode)),
      query: buildQueryNode(piece, item.select_query as RawNode),
    })),
  }
}

/** The query that was cut out of its brackets, when this SELECT only keeps its place. */
function queryInPlaceOf(piece: ParsedPiece, raw: RawNode): ParsedPiece | undefined {
  const [only] = raw.select as RawNode[]
  const child = only?.node === "Field" ? piece.childAt(only) : undefined
  return child?.role === "query" ? child : undefined
}

const SET_OPERATORS: readonly string[] = ["UNION ALL", "UNION DISTINCT", "INTERSECT", "EXCEPT"] satisfies SetOperator[]

function setOperator(written: string, at: { start: number; end: number }): SetOperator {
  const operator = written.replace("INTERSECT DISTINCT", "INTERSECT").replace("EXCEPT DISTINCT", "EXCEPT")
  if (!SET_OPERATORS.includes(operator)) throw syntaxError(`${written} is not supported.`, at)
  return operator as SetOperator
}

function buildSelect(piece: ParsedPiece, raw: RawNode): Select {
  const list = (key: string) => buildExpressions(piece, (raw[key] ?? []) as RawNode[])
  const one = (key: string) => buildOptional(piece, raw[key] as RawNode | null | undefined)
  const limitBy = raw.limit_by as RawNode | null | undefined
  const arrayJoin = raw.array_join_op as string | undefined
  return {
    kind: "select",
    at: piece.span(raw),
    with: ((raw.ctes ?? []) as RawNode[]).map((cte) => buildCommon(piece, cte)),
    distinct: raw.distinct === true,
    columns: list("select"),
    from: buildSources(piece, raw.select_from as RawNode | null),
    arrayJoin: arrayJoin ? { left: arrayJoin.startsWith("LEFT"), items: list("array_join_list") } : null,
    prewhere: one("prewhere"),
    where: one("where"),
    groupBy: list("group_by"),
    having: one("having"),
    windows: Object.entries((raw.window_exprs ?? {}) as Record<string, RawNode>).map(
      ([name, window]) => [name, buildWindow(piece, window)] as const,
    ),
    qualify: one("qualify"),
    orderBy: buildOrder(piece, raw.order_by as RawNode[] | undefined),
    limitBy: limitBy
      ? {
          count: buildExpression(piece, limitBy.n as RawNode),
          offset: buildOptional(piece, limitBy.offset_value as RawNode | null),
          by: buildExpressions(piece, limitBy.exprs as RawNode[]),
        }
      : null,
    limit: one("limit"),
    offset: one("offset"),
    withTies: raw.limit_with_ties === true,
  }
}

function buildCommon(piece: ParsedPiece, raw: RawNode): CommonTable | CommonValue {
  const at = piece.span(raw)
  if (raw.recursive === true) throw syntaxError("WITH RECURSIVE is not supported.", at)
  if (raw.columns) throw syntaxError("Column names after a WITH name are not supported.", at)
  const name = given(raw.name as string, at)
  const expression = buildExpression(piece, raw.expr as RawNode)
  if (raw.cte_type === "column") return { kind: "commonValue", at, name, expression }
  if (expression.kind !== "select" && expression.kind !== "selectSet") {
    throw syntaxError(`WITH ${name} must name a SELECT.`, at)
  }
  return { kind: "commonTable", at, name, query: expression }
}

function buildSources(piece: ParsedPiece, first: RawNode | null): TableSource[] {
  const sources: TableSource[] = []
  for (let raw = first; raw; raw = raw.next_join as RawNode | null)
    sources.push(buildSource(piece, raw, sources.length === 0))
  return sources
}

function buildSource(piece: ParsedPiece, raw: RawNode, isFirst: boolean): TableSource {
  const at = piece.span(raw)
  if (raw.table_final) throw syntaxError("FINAL is not supported: tables always show the newest state.", at)
  if (raw.sample) throw syntaxError("SAMPLE is not supported.", at)
  if (raw.column_aliases) throw syntaxError("Column names after a table alias are not supported.", at)
  const constraint = raw.constraint as RawNode | undefined
  const condition = constraint ? buildExpression(piece, constraint.expr as RawNode) : null
  const isUsing = constraint?.constraint_type === "USING"
  return {
    kind: "source",
    at,
    ...buildTable(piece, raw),
    alias: raw.alias ? given(raw.alias as string, at) : null,
    join: isFirst ? null : joinOperator(raw.join_type as string, at),
    on: isUsing ? null : condition,
    using: isUsing && condition ? (condition.kind === "tuple" ? condition.items : [condition]) : null,
  }
}

function buildTable(piece: ParsedPiece, raw: RawNode): Pick<TableSource, "table" | "args"> {
  const table = buildExpression(piece, raw.table as RawNode)
  const args = raw.table_args ? buildExpressions(piece, raw.table_args as RawNode[]) : null
  if (table.kind === "call") return { table: { kind: "field", at: table.at, chain: [table.name] }, args: table.args }
  const isTable =
    table.kind === "field" || table.kind === "placeholder" || table.kind === "select" || table.kind === "selectSet"
  if (!isTable) throw syntaxError("A table or a subquery is expected here.", table.at)
  return { table: table satisfies Field | Placeholder | Query, args }
}

function joinOperator(written: string, at: { start: number; end: number }): JoinOperator {
  const words = written.split(" ").filter((word) => word !== "JOIN" && word !== "OUTER")
  const strictness = (["ANY", "ASOF", "SEMI", "ANTI"] as const).find((word) => words.includes(word)) ?? null
  const types = words.filter((word) => word !== strictness)
  const type = types[0] ?? "INNER"
  const isKnown = types.length <= 1 && (JOIN_TYPES as readonly string[]).includes(type)
  if (!isKnown) throw syntaxError(`${written} is not supported.`, at)
  const needsSide = (strictness === "SEMI" || strictness === "ANTI") && type === "INNER"
  return { type: needsSide ? "LEFT" : (type as JoinType), strictness }
}

function buildOrder(piece: ParsedPiece, raws: RawNode[] | null | undefined): OrderItem[] {
  return (raws ?? []).map((raw) => ({
    kind: "order",
    at: piece.span(raw),
    expression: buildExpression(piece, raw.expr as RawNode),
    descending: raw.order === "DESC",
    nulls: null,
  }))
}

/** Makes the window of an OVER or of a WINDOW clause. */
function buildWindow(piece: ParsedPiece, raw: RawNode): Window {
  const start = raw.frame_start as RawNode | null
  const end = raw.frame_end as RawNode | null
  return {
    kind: "window",
    at: piece.span(raw),
    partitionBy: buildExpressions(piece, (raw.partition_by ?? []) as RawNode[]),
    orderBy: buildOrder(piece, raw.order_by as RawNode[] | null),
    frame: start
      ? { unit: raw.frame_method === "RANGE" ? "RANGE" : "ROWS", start: frameBound(start), end: end && frameBound(end) }
      : null,
  }
}

function frameBound(raw: RawNode): FrameBound {
  const kinds = { PRECEDING: "preceding", FOLLOWING: "following", "CURRENT ROW": "current row" } as const
  const rows = typeof raw.frame_value === "number" ? raw.frame_value : null
  if (rows !== null && !Number.isSafeInteger(rows)) throw syntaxError("A window's frame counts whole rows.")
  return { kind: kinds[raw.frame_type as keyof typeof kinds], rows }
}

type Build = (piece: ParsedPiece, raw: RawNode) => Expression

/** Makes the node of an expression. Throws HogqlError for parts of the grammar that are not supported. */
function buildExpression(piece: ParsedPiece, raw: RawNode): Expression {
  if (raw.node === "Field") {
    const child = piece.childAt(raw)
    if (child !== undefined) return buildExpression(child, child.raw)
  }
  const build = BUILDERS.get(raw.node)
  if (build === undefined) throw syntaxError(`${raw.node} is not supported.`, piece.span(raw))
  return piece.depth.within(piece.span(raw), () => build(piece, raw))
}

/** Makes the nodes of a list, with runs of it that were cut out put back in place. */
function buildExpressions(piece: ParsedPiece, raws: readonly RawNode[]): Expression[] {
  return raws.flatMap((raw) => {
    const child = raw.node === "Field" ? piece.childAt(raw) : undefined
    return child?.role === "list"
      ? buildExpressions(child, child.raw.exprs as RawNode[])
      : [buildExpression(piece, raw)]
  })
}

function buildOptional(piece: ParsedPiece, raw: RawNode | null | undefined): Expression | null {
  return raw ? buildExpression(piece, raw) : null
}

/** A name that the query gives to something. */
function given(name: string, at: Span): string {
  if (!name.includes("%")) return name
  throw queryError(`The HogQL identifier "${name}" is not permitted as it contains the "%" character`, at)
}

const child = (piece: ParsedPiece, raw: RawNode, key: string) => buildExpression(piece, raw[key] as RawNode)
const children = (piece: ParsedPiece, raw: RawNode, key: string) =>
  buildExpressions(piece, (raw[key] ?? []) as RawNode[])

const buildCast: Build = (piece, raw) => ({
  kind: "cast",
  at: piece.span(raw),
  expression: child(piece, raw, "expr"),
  typeName: raw.type_name as string,
})

const BUILDERS: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["Constant", buildConstant],
  ["Field", (piece, raw) => make.field(raw.chain as (string | number)[], piece.span(raw))],
  [
    "Alias",
    (piece, raw) => make.alias(given(raw.alias as string, piece.span(raw)), child(piece, raw, "expr"), piece.span(raw)),
  ],
  ["Call", buildCall],
  ["WindowFunction", buildWindowCall],
  ["And", (piece, raw) => make.and(children(piece, raw, "exprs"), piece.span(raw))],
  ["Or", (piece, raw) => make.or(children(piece, raw, "exprs"), piece.span(raw))],
  ["Not", (piece, raw) => make.not(child(piece, raw, "expr"), piece.span(raw))],
  ["Array", (piece, raw) => make.array(children(piece, raw, "exprs"), piece.span(raw))],
  ["Tuple", (piece, raw) => make.tuple(children(piece, raw, "exprs"), piece.span(raw))],
  ["TypeCast", buildCast],
  ["TryCast", buildCast],
  ["SelectQuery", buildQueryNode],
  ["SelectSetQuery", buildQueryNode],
  [
    "ArithmeticOperation",
    (piece, raw) =>
      make.arithmetic(
        raw.op as ArithmeticOperator,
        child(piece, raw, "left"),
        child(piece, raw, "right"),
        piece.span(raw),
      ),
  ],
  [
    "CompareOperation",
    (piece, raw) =>
      make.compare(raw.op as CompareOperator, child(piece, raw, "left"), child(piece, raw, "right"), piece.span(raw)),
  ],
  [
    "IsDistinctFrom",
    (piece, raw) =>
      make.compare(raw.negated ? "==" : "!=", child(piece, raw, "left"), child(piece, raw, "right"), piece.span(raw)),
  ],
  [
    "BetweenExpr",
    (piece, raw) => ({
      kind: "between",
      at: piece.span(raw),
      expression: child(piece, raw, "expr"),
      low: child(piece, raw, "low"),
      high: child(piece, raw, "high"),
      negated: raw.negated === true,
    }),
  ],
  [
    "ArrayAccess",
    (piece, raw) => ({
      kind: "element",
      at: piece.span(raw),
      expression: child(piece, raw, "array"),
      index: child(piece, raw, "property"),
    }),
  ],
  [
    "ArraySlice",
    (piece, raw) => ({
      kind: "slice",
      at: piece.span(raw),
      expression: child(piece, raw, "array"),
      from: buildOptional(piece, raw.start_expr as RawNode | null),
      to: buildOptional(piece, raw.end_expr as RawNode | null),
    }),
  ],
  [
    "TupleAccess",
    (piece, raw) => ({
      kind: "tupleAccess",
      at: piece.span(raw),
      expression: child(piece, raw, "tuple"),
      index: raw.index as number,
    }),
  ],
  [
    "Lambda",
    (piece, raw): Lambda => ({
      kind: "lambda",
      at: piece.span(raw),
      args: raw.args as string[],
      body: child(piece, raw, "expr"),
    }),
  ],
  [
    "Placeholder",
    (piece, raw) => ({ kind: "placeholder", at: piece.span(raw), expression: child(piece, raw, "expr") }),
  ],
  [
    "Dict",
    (piece, raw) => ({
      kind: "dictionary",
      at: piece.span(raw),
      items: (raw.items as [RawNode, RawNode][]).map(
        ([key, value]) => [buildExpression(piece, key), buildExpression(piece, value)] as const,
      ),
    }),
  ],
  [
    "ColumnsExpr",
    (piece, raw) => {
      if (raw.all_columns !== true) throw syntaxError("COLUMNS(…) is not supported.", piece.span(raw))
      return { kind: "allColumns", at: piece.span(raw), exclude: (raw.exclude ?? []) as string[] }
    },
  ],
])

/** Numbers beyond what JSON can carry come as text with `value_type`. */
function buildConstant(piece: ParsedPiece, raw: RawNode): Expression {
  const value = raw.value as string | number | boolean | null
  return make.constant(raw.value_type === "number" ? Number(value) : value, piece.span(raw))
}

function buildCall(piece: ParsedPiece, raw: RawNode): Expression {
  const at = piece.span(raw)
  if (raw.order_by) throw syntaxError("ORDER BY inside a call is not supported: sort with arraySort.", at)
  return make.call(
    raw.name as string,
    children(piece, raw, "args"),
    {
      parameters: raw.params ? children(piece, raw, "params") : null,
      distinct: raw.distinct === true,
      filter: buildOptional(piece, raw.filter_expr as RawNode | null),
    },
    at,
  )
}

/** `f(a) over …` puts the arguments in `exprs`; `f(p)(a) over …` puts parameters there and the arguments in `args`. */
function buildWindowCall(piece: ParsedPiece, raw: RawNode): Expression {
  const first = children(piece, raw, "exprs")
  const second = children(piece, raw, "args")
  return {
    kind: "windowCall",
    at: piece.span(raw),
    name: raw.name as string,
    args: second.length > 0 ? second : first,
    parameters: second.length > 0 ? first : null,
    over: typeof raw.over_identifier === "string" ? raw.over_identifier : buildWindow(piece, raw.over_expr as RawNode),
  }
}
