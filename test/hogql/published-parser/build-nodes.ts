import { queryError, syntaxError } from "../../../src/hogql/hogql-error.js"
import * as make from "../../../src/hogql/nodes/make.js"
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
} from "../../../src/hogql/nodes/nodes.js"
import { FRAME_UNITS, JOIN_TYPES } from "../../../src/hogql/nodes/nodes.js"
import type { Places, RawNode } from "./published-parser.js"

/** Makes our nodes of what the published parser answers. Throws HogqlError for parts of the grammar we do not have. */
export function buildQuery(raw: RawNode, places: Places): Query {
  return buildQueryNode(places, raw)
}

/** Makes a SELECT or a set of them. */
function buildQueryNode(places: Places, raw: RawNode): Query {
  const at = places.span(raw)
  if (raw.node === "SelectQuery") {
    return buildSelect(places, raw)
  }
  if (raw.node !== "SelectSetQuery") throw syntaxError("A query must be a SELECT.", at)
  return {
    kind: "selectSet",
    at,
    first: buildQueryNode(places, raw.initial_select_query as RawNode),
    rest: (raw.subsequent_select_queries as RawNode[]).map((item) => ({
      operator: setOperator(item.set_operator as string, places.span(item.select_query as RawNode)),
      query: buildQueryNode(places, item.select_query as RawNode),
    })),
  }
}

const SET_OPERATORS: readonly string[] = [
  "UNION ALL",
  "UNION DISTINCT",
  "INTERSECT",
  "INTERSECT DISTINCT",
  "EXCEPT",
  "UNION ALL BY NAME",
  "UNION DISTINCT BY NAME",
] satisfies SetOperator[]

function setOperator(written: string, at: { start: number; end: number }): SetOperator {
  const operator = written.replace(/^(INTERSECT|EXCEPT) ALL$/, "$1")
  if (!SET_OPERATORS.includes(operator)) throw syntaxError(`${written} is not supported.`, at)
  return operator as SetOperator
}

const GROUP_MODES: Readonly<Record<string, Select["groupMode"]>> = {
  all: "all",
  cube: "cube",
  rollup: "rollup",
  grouping_sets: "sets",
}

function buildSelect(places: Places, raw: RawNode): Select {
  const list = (key: string) => buildExpressions(places, (raw[key] ?? []) as RawNode[])
  const one = (key: string) => buildOptional(places, raw[key] as RawNode | null | undefined)
  const limitBy = raw.limit_by as RawNode | null | undefined
  const arrayJoin = raw.array_join_op as string | undefined
  return {
    kind: "select",
    at: places.span(raw),
    with: ((raw.ctes ?? []) as RawNode[]).map((cte) => buildCommon(places, cte)),
    distinct: raw.distinct === true,
    columns: list("select"),
    from: buildSources(places, raw.select_from as RawNode | null),
    arrayJoin: arrayJoin ? { left: arrayJoin.startsWith("LEFT"), items: list("array_join_list") } : null,
    prewhere: one("prewhere"),
    where: one("where"),
    groupBy: ((raw.group_by ?? []) as RawNode[]).map((item) =>
      item.node === "GroupingSet"
        ? { kind: "tuple", at: places.span(item), items: buildExpressions(places, item.exprs as RawNode[]) }
        : buildExpression(places, item),
    ),
    groupMode: GROUP_MODES[raw.group_by_mode as string] ?? null,
    having: one("having"),
    windows: Object.entries((raw.window_exprs ?? {}) as Record<string, RawNode>).map(
      ([name, window]) => [name, buildWindow(places, window)] as const,
    ),
    qualify: one("qualify"),
    orderBy: buildOrder(places, raw.order_by as RawNode[] | undefined),
    limitBy: limitBy
      ? {
          count: buildExpression(places, limitBy.n as RawNode),
          offset: buildOptional(places, limitBy.offset_value as RawNode | null),
          by: buildExpressions(places, limitBy.exprs as RawNode[]),
        }
      : null,
    limit: one("limit"),
    offset: one("offset"),
    withTies: raw.limit_with_ties === true,
  }
}

function buildCommon(places: Places, raw: RawNode): CommonTable | CommonValue {
  const at = places.span(raw)
  const name = given(raw.name as string, at)
  const expression = buildExpression(places, raw.expr as RawNode)
  if (raw.cte_type === "column") return { kind: "commonValue", at, name, expression }
  if (expression.kind !== "select" && expression.kind !== "selectSet") {
    throw syntaxError(`WITH ${name} must name a SELECT.`, at)
  }
  const columns = (raw.columns as string[] | null | undefined) ?? null
  return { kind: "commonTable", at, name, columns, isRecursive: raw.recursive === true, query: expression }
}

function buildSources(places: Places, first: RawNode | null): TableSource[] {
  const sources: TableSource[] = []
  for (let raw = first; raw; raw = raw.next_join as RawNode | null)
    sources.push(buildSource(places, raw, sources.length === 0))
  return sources
}

function buildSource(places: Places, raw: RawNode, isFirst: boolean): TableSource {
  const at = places.span(raw)
  const isTable = (raw.table as RawNode).node === "Field"
  if (raw.table_final && !isTable) throw syntaxError("FINAL stands behind a table.", at)
  const constraint = raw.constraint as RawNode | undefined
  const condition = constraint ? buildExpression(places, constraint.expr as RawNode) : null
  const isUsing = constraint?.constraint_type === "USING"
  return {
    kind: "source",
    at,
    ...buildTable(places, raw),
    alias: raw.alias ? given(raw.alias as string, at) : null,
    columns: (raw.column_aliases as string[] | null | undefined) ?? null,
    sample: raw.sample ? buildSample(places, raw.sample as RawNode) : null,
    join: isFirst ? null : joinOperator(raw.join_type as string, at),
    on: isUsing ? null : condition,
    using: isUsing && condition ? (condition.kind === "tuple" ? condition.items : [condition]) : null,
  }
}

function buildSample(places: Places, raw: RawNode): TableSource["sample"] {
  const share = (ratio: RawNode): Expression => {
    if (ratio.node !== "RatioExpr") return buildExpression(places, ratio)
    const left = child(places, ratio, "left")
    return ratio.right ? make.arithmetic("/", left, child(places, ratio, "right"), places.span(ratio)) : left
  }
  return {
    share: share(raw.sample_value as RawNode),
    offset: raw.offset_value ? share(raw.offset_value as RawNode) : null,
  }
}

function buildValues(places: Places, raw: RawNode): Query {
  const [first, ...rest] = (raw.rows as RawNode[][]).map((row) => {
    const columns = buildExpressions(places, row)
    return make.select({ columns, at: { start: columns[0]?.at.start ?? 0, end: columns.at(-1)?.at.end ?? 0 } })
  })
  if (rest.length === 0) return first as Query
  const others = rest.map((query) => ({ operator: "UNION ALL", query }) as const)
  return { kind: "selectSet", at: places.span(raw), first: first as Query, rest: others }
}

function buildTable(places: Places, raw: RawNode): Pick<TableSource, "table" | "args"> {
  if ((raw.table as RawNode).node === "ValuesQuery")
    return { table: buildValues(places, raw.table as RawNode), args: null }
  const table = buildExpression(places, raw.table as RawNode)
  const args = raw.table_args ? buildExpressions(places, raw.table_args as RawNode[]) : null
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

function buildOrder(places: Places, raws: RawNode[] | null | undefined): OrderItem[] {
  return (raws ?? []).map((raw) => ({
    kind: "order",
    at: places.span(raw),
    expression: buildExpression(places, raw.expr as RawNode),
    descending: raw.order === "DESC",
    nulls: null,
  }))
}

/** Makes the window of an OVER or of a WINDOW clause. */
function buildWindow(places: Places, raw: RawNode): Window {
  const start = raw.frame_start as RawNode | null
  const end = raw.frame_end as RawNode | null
  return {
    kind: "window",
    at: places.span(raw),
    partitionBy: buildExpressions(places, (raw.partition_by ?? []) as RawNode[]),
    orderBy: buildOrder(places, raw.order_by as RawNode[] | null),
    frame: start
      ? { unit: raw.frame_method === "RANGE" ? "RANGE" : "ROWS", start: frameBound(start), end: end && frameBound(end) }
      : null,
  }
}

function frameBound(raw: RawNode): FrameBound {
  const kinds = { PRECEDING: "preceding", FOLLOWING: "following", "CURRENT ROW": "current row" } as const
  const kind = kinds[raw.frame_type as keyof typeof kinds]
  const { name, args = [] } = (raw.frame_value ?? {}) as { name?: string; args?: RawNode[] }
  const unit = FRAME_UNITS.find((found) => name === `toInterval${found}`)
  if (unit !== undefined) return { kind, rows: args[0]?.value as number, unit }
  const rows = typeof raw.frame_value === "number" ? raw.frame_value : null
  if (rows !== null && !Number.isSafeInteger(rows)) throw syntaxError("A window's frame counts whole rows.")
  return { kind, rows }
}

type Build = (places: Places, raw: RawNode) => Expression

/** Makes the node of an expression. Throws HogqlError for parts of the grammar that are not supported. */
function buildExpression(places: Places, raw: RawNode): Expression {
  const build = BUILDERS.get(raw.node)
  if (build === undefined) throw syntaxError(`${raw.node} is not supported.`, places.span(raw))
  return build(places, raw)
}

function buildExpressions(places: Places, raws: readonly RawNode[]): Expression[] {
  return raws.map((raw) => buildExpression(places, raw))
}

function buildOptional(places: Places, raw: RawNode | null | undefined): Expression | null {
  return raw ? buildExpression(places, raw) : null
}

/** A name that the query gives to something. */
function given(name: string, at: Span): string {
  if (!name.includes("%")) return name
  throw queryError(`The HogQL identifier "${name}" is not permitted as it contains the "%" character`, at)
}

const child = (places: Places, raw: RawNode, key: string) => buildExpression(places, raw[key] as RawNode)
const children = (places: Places, raw: RawNode, key: string) => buildExpressions(places, (raw[key] ?? []) as RawNode[])

const buildCast: Build = (places, raw) => ({
  kind: "cast",
  at: places.span(raw),
  expression: child(places, raw, "expr"),
  typeName: raw.type_name as string,
})

const BUILDERS: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["Constant", buildConstant],
  ["Field", (places, raw) => make.field(raw.chain as (string | number)[], places.span(raw))],
  [
    "Alias",
    (places, raw) =>
      make.alias(given(raw.alias as string, places.span(raw)), child(places, raw, "expr"), places.span(raw)),
  ],
  ["Call", buildCall],
  ["WindowFunction", buildWindowCall],
  ["And", (places, raw) => make.and(children(places, raw, "exprs"), places.span(raw))],
  ["Or", (places, raw) => make.or(children(places, raw, "exprs"), places.span(raw))],
  ["Not", (places, raw) => make.not(child(places, raw, "expr"), places.span(raw))],
  ["Array", (places, raw) => make.array(children(places, raw, "exprs"), places.span(raw))],
  ["Tuple", (places, raw) => make.tuple(children(places, raw, "exprs"), places.span(raw))],
  ["TypeCast", buildCast],
  ["TryCast", buildCast],
  ["SelectQuery", buildQueryNode],
  ["SelectSetQuery", buildQueryNode],
  [
    "ArithmeticOperation",
    (places, raw) =>
      make.arithmetic(
        raw.op as ArithmeticOperator,
        child(places, raw, "left"),
        child(places, raw, "right"),
        places.span(raw),
      ),
  ],
  [
    "CompareOperation",
    (places, raw) =>
      make.compare(
        raw.op as CompareOperator,
        child(places, raw, "left"),
        child(places, raw, "right"),
        places.span(raw),
      ),
  ],
  [
    "IsDistinctFrom",
    (places, raw) =>
      make.compare(
        raw.negated ? "==" : "!=",
        child(places, raw, "left"),
        child(places, raw, "right"),
        places.span(raw),
      ),
  ],
  [
    "BetweenExpr",
    (places, raw) => ({
      kind: "between",
      at: places.span(raw),
      expression: child(places, raw, "expr"),
      low: child(places, raw, "low"),
      high: child(places, raw, "high"),
      negated: raw.negated === true,
    }),
  ],
  [
    "ArrayAccess",
    (places, raw) => ({
      kind: "element",
      at: places.span(raw),
      expression: child(places, raw, "array"),
      index: child(places, raw, "property"),
    }),
  ],
  [
    "ArraySlice",
    (places, raw) => ({
      kind: "slice",
      at: places.span(raw),
      expression: child(places, raw, "array"),
      from: buildOptional(places, raw.start_expr as RawNode | null),
      to: buildOptional(places, raw.end_expr as RawNode | null),
    }),
  ],
  [
    "TupleAccess",
    (places, raw) => ({
      kind: "tupleAccess",
      at: places.span(raw),
      expression: child(places, raw, "tuple"),
      index: raw.index as number,
    }),
  ],
  [
    "Lambda",
    (places, raw): Lambda => ({
      kind: "lambda",
      at: places.span(raw),
      args: raw.args as string[],
      body: child(places, raw, "expr"),
    }),
  ],
  [
    "Placeholder",
    (places, raw) => ({ kind: "placeholder", at: places.span(raw), expression: child(places, raw, "expr") }),
  ],
  [
    "Dict",
    (places, raw) => ({
      kind: "dictionary",
      at: places.span(raw),
      items: (raw.items as [RawNode, RawNode][]).map(
        ([key, value]) => [buildExpression(places, key), buildExpression(places, value)] as const,
      ),
    }),
  ],
  [
    "ColumnsExpr",
    (places, raw) => {
      if (raw.columns) return { kind: "columnList", at: places.span(raw), items: children(places, raw, "columns") }
      const [exclude, pattern] = [(raw.exclude ?? []) as string[], (raw.regex as string | undefined) ?? null]
      if (raw.all_columns !== true && pattern === null)
        throw syntaxError("COLUMNS(…) takes a regular expression as text.", places.span(raw))
      return { kind: "allColumns", at: places.span(raw), exclude, pattern }
    },
  ],
])

/** Numbers beyond what JSON can carry come as text with `value_type`. */
function buildConstant(places: Places, raw: RawNode): Expression {
  const value = raw.value as string | number | boolean | null
  return make.constant(raw.value_type === "number" ? Number(value) : value, places.span(raw))
}

function buildCall(places: Places, raw: RawNode): Expression {
  const at = places.span(raw)
  const [inside, within] = [raw.order_by as RawNode[] | null, raw.within_group as RawNode[] | null]
  const items = buildOrder(places, inside ?? within)
  return make.call(
    raw.name as string,
    children(places, raw, within ? "params" : "args"),
    {
      parameters: raw.params && !within ? children(places, raw, "params") : null,
      order: items.length > 0 ? { items, isWithinGroup: Boolean(within) } : null,
      distinct: raw.distinct === true,
      filter: buildOptional(places, raw.filter_expr as RawNode | null),
    },
    at,
  )
}

/** `f(a) over …` puts the arguments in `exprs`; `f(p)(a) over …` puts parameters there and the arguments in `args`. */
function buildWindowCall(places: Places, raw: RawNode): Expression {
  const first = children(places, raw, "exprs")
  const second = children(places, raw, "args")
  return {
    kind: "windowCall",
    at: places.span(raw),
    name: raw.name as string,
    args: second.length > 0 ? second : first,
    parameters: second.length > 0 ? first : null,
    over: typeof raw.over_identifier === "string" ? raw.over_identifier : buildWindow(places, raw.over_expr as RawNode),
  }
}
