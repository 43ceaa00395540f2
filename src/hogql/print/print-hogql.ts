import {
  ARITHMETIC_FUNCTIONS,
  type ConstantValue,
  type Expression,
  type FrameBound,
  type OrderItem,
  type Query,
  type Sample,
  type Select,
  type TableSource,
  type Window,
} from "../nodes/nodes.js"
import { orderSuffix } from "./order-suffix.js"

/** The query in one normal writing: operators as functions, one space, no comments. For people, never for the engine. */
export function printHogql(query: Query): string {
  if (query.kind === "select") return printSelect(query)
  return [printOperand(query.first), ...query.rest.map((item) => `${item.operator} ${printOperand(item.query)}`)].join(
    " ",
  )
}

/** What a column without an alias is called: the last part of a name, else its normalised text. */
export function columnName(node: Expression): string {
  if (node.kind === "field") return String(node.chain[node.chain.length - 1])
  if (node.kind === "element" && node.index.kind === "constant" && typeof node.index.value === "string")
    return node.index.value
  return printExpression(node)
}

const printOperand = (query: Query): string => (query.kind === "select" ? printSelect(query) : `(${printHogql(query)})`)

function printSelect(select: Select): string {
  const limitBy = select.limitBy
  return [
    select.with.length > 0 && `WITH ${printWith(select.with)}`,
    `SELECT ${select.distinct ? "DISTINCT " : ""}${list(select.columns)}`,
    select.from.length > 0 && `FROM ${select.from.map(printSource).join(" ")}`,
    select.arrayJoin && `${select.arrayJoin.left ? "LEFT " : ""}ARRAY JOIN ${list(select.arrayJoin.items)}`,
    select.prewhere && `PREWHERE ${printExpression(select.prewhere)}`,
    select.where && `WHERE ${printExpression(select.where)}`,
    printGroupBy(select),
    select.having && `HAVING ${printExpression(select.having)}`,
    select.windows.length > 0 &&
      `WINDOW ${select.windows.map(([key, window]) => `${name(key)} AS (${printWindow(window)})`).join(", ")}`,
    select.qualify && `QUALIFY ${printExpression(select.qualify)}`,
    select.orderBy.length > 0 && `ORDER BY ${printOrder(select.orderBy)}`,
    limitBy &&
      `LIMIT ${printExpression(limitBy.count)}${limitBy.offset ? ` OFFSET ${printExpression(limitBy.offset)}` : ""} BY ${list(limitBy.by)}`,
    select.limit && `LIMIT ${printExpression(select.limit)}`,
    select.offset && `OFFSET ${printExpression(select.offset)}`,
    select.limit && select.withTies && "WITH TIES",
  ]
    .filter((clause) => typeof clause === "string")
    .join(" ")
}

function printWith(items: Select["with"]): string {
  const isRecursive = items.some((item) => item.kind === "commonTable" && item.isRecursive)
  const printed = items.map((item) =>
    item.kind === "commonTable"
      ? `${name(item.name)}${columnNames(item.columns)} AS (${printHogql(item.query)})`
      : `${printExpression(item.expression)} AS ${name(item.name)}`,
  )
  return `${isRecursive ? "RECURSIVE " : ""}${printed.join(", ")}`
}

const columnNames = (names: readonly string[] | null): string =>
  names === null ? "" : `(${names.map(name).join(", ")})`

function printGroupBy({ groupBy, groupMode }: Select): string | false {
  if (groupMode === "all") return "GROUP BY ALL"
  if (groupBy.length === 0) return false
  if (groupMode === null) return `GROUP BY ${list(groupBy)}`
  return `GROUP BY ${groupMode === "sets" ? "GROUPING SETS" : groupMode.toUpperCase()}(${list(groupBy)})`
}

function printSource(source: TableSource): string {
  const table =
    source.table.kind === "select" || source.table.kind === "selectSet"
      ? `(${printHogql(source.table)})`
      : printExpression(source.table)
  const join =
    source.join === null ? "" : `${source.join.type}${source.join.strictness ? ` ${source.join.strictness}` : ""} JOIN `
  return [
    `${join}${table}${source.args ? `(${list(source.args)})` : ""}`,
    source.alias && `AS ${name(source.alias)}${columnNames(source.columns)}`,
    source.sample && printSample(source.sample),
    source.on && `ON ${printExpression(source.on)}`,
    source.using && `USING (${list(source.using)})`,
  ]
    .filter((part) => typeof part === "string")
    .join(" ")
}

const printSample = ({ share, offset }: Sample): string =>
  `SAMPLE ${printShare(share)}${offset ? ` OFFSET ${printShare(offset)}` : ""}`

const printShare = (node: Expression): string =>
  node.kind === "arithmetic" ? `${printExpression(node.left)}/${printExpression(node.right)}` : printExpression(node)

const COMPARE: Readonly<Record<string, string>> = {
  "==": "equals",
  "!=": "notEquals",
  "<": "less",
  "<=": "lessOrEquals",
  ">": "greater",
  ">=": "greaterOrEquals",
  like: "like",
  "not like": "notLike",
  ilike: "ilike",
  "not ilike": "notILike",
  in: "in",
  "not in": "notIn",
  "=~": "match",
}

/** An expression in normalised HogQL. */
function printExpression(node: Expression): string {
  switch (node.kind) {
    case "constant":
      return printConstant(node.value)
    case "field":
      return node.chain.map((part) => (part === "*" ? "*" : name(String(part)))).join(".")
    case "alias":
      return `${printExpression(node.expression)} AS ${name(node.name)}`
    case "call": {
      const parameters = node.parameters ? `(${list(node.parameters)})` : ""
      const filter = node.filter ? ` FILTER (WHERE ${printExpression(node.filter)})` : ""
      const order = node.order ? `ORDER BY ${printOrder(node.order.items)}` : ""
      const inside = [list(node.args), node.order?.isWithinGroup ? "" : order].filter((part) => part !== "").join(" ")
      const group = node.order?.isWithinGroup ? ` WITHIN GROUP (${order})` : ""
      return `${node.name}${parameters}(${node.distinct ? "DISTINCT " : ""}${inside})${group}${filter}`
    }
    case "windowCall": {
      const parameters = node.parameters ? `(${list(node.parameters)})` : ""
      const over = typeof node.over === "string" ? name(node.over) : `(${printWindow(node.over)})`
      return `${node.name}${parameters}(${list(node.args)}) OVER ${over}`
    }
    case "arithmetic":
      return `${ARITHMETIC_FUNCTIONS[node.operator]}(${list([node.left, node.right])})`
    case "compare": {
      const called = COMPARE[node.operator]
      if (called !== undefined) return `${called}(${list([node.left, node.right])})`
      return `(${printExpression(node.left)} ${node.operator} ${printExpression(node.right)})`
    }
    case "between":
      return `${printExpression(node.expression)} ${node.negated ? "NOT " : ""}BETWEEN ${printExpression(node.low)} AND ${printExpression(node.high)}`
    case "and":
    case "or":
      return `${node.kind}(${list(node.expressions)})`
    case "not":
      return `not(${printExpression(node.expression)})`
    case "array":
      return `[${list(node.items)}]`
    case "tuple":
      return node.items.length === 1 ? `tuple(${list(node.items)})` : `(${list(node.items)})`
    case "dictionary":
      return `{${node.items.map(([key, value]) => `${printExpression(key)}: ${printExpression(value)}`).join(", ")}}`
    case "element":
      return `${printExpression(node.expression)}[${printExpression(node.index)}]`
    case "slice":
      return `${printExpression(node.expression)}[${node.from ? printExpression(node.from) : ""}:${node.to ? printExpression(node.to) : ""}]`
    case "tupleAccess":
      return `${printExpression(node.expression)}.${node.index}`
    case "lambda":
      return `(${node.args.map(name).join(", ")}) -> ${printExpression(node.body)}`
    case "placeholder":
      return `{${printExpression(node.expression)}}`
    case "cast":
      return `${printExpression(node.expression)}::${node.typeName}`
    case "columnList":
      return `COLUMNS(${list(node.items)})`
    case "allColumns":
      if (node.pattern !== null) return `COLUMNS(${printConstant(node.pattern)})`
      return node.exclude.length > 0 ? `* EXCLUDE (${node.exclude.map(name).join(", ")})` : "*"
    case "select":
    case "selectSet":
      return `(${printHogql(node)})`
  }
}

function printWindow(window: Window): string {
  return [
    window.base !== undefined && name(window.base),
    window.partitionBy.length > 0 && `PARTITION BY ${list(window.partitionBy)}`,
    window.orderBy.length > 0 && `ORDER BY ${printOrder(window.orderBy)}`,
    window.frame && printFrame(window.frame),
  ]
    .filter((part) => typeof part === "string")
    .join(" ")
}

function printFrame({ unit, start, end }: NonNullable<Window["frame"]>): string {
  const count = ({ rows, unit }: FrameBound) =>
    unit === undefined ? (rows ?? "unbounded") : `interval ${rows} ${unit}`
  const bound = (item: FrameBound): string =>
    (item.kind === "current row" ? item.kind : `${count(item)} ${item.kind}`).toUpperCase()
  return end === null ? `${unit} ${bound(start)}` : `${unit} BETWEEN ${bound(start)} AND ${bound(end)}`
}

const list = (nodes: readonly Expression[]): string => nodes.map(printExpression).join(", ")
const printOrder = (items: readonly OrderItem[]): string =>
  items.map((item) => `${printExpression(item.expression)}${orderSuffix(item)}`).join(", ")

const name = (text: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) || /^\d+$/.test(text) ? text : `\`${text.replace(/([\\`])/g, "\\$1")}\``

function printConstant(value: ConstantValue): string {
  return typeof value === "string" ? `'${value.replace(/([\\'])/g, "\\$1").replaceAll("\n", "\\n")}'` : String(value)
}
