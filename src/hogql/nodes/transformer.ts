import { assertNever } from "../../kernel/errors.js"
import type { Expression, OrderItem, Query, Select, TableSource, Window } from "./nodes.js"

/**
 * Copies a tree, children first. Override `change` to replace expressions; a transformer that changes nothing gives an
 * equal tree. `around` holds the SELECT that the expression stands in.
 */
export class NodeTransformer {
  /** What an expression becomes, after its children were copied. */
  protected change(node: Expression, _around: Select | null): Expression {
    return node
  }

  /** What the name or the placeholder of a table becomes. */
  protected changeTable(node: TableSource["table"] & { kind: "field" | "placeholder" }): TableSource["table"] {
    return node
  }

  query(node: Query): Query {
    if (node.kind === "select") return this.select(node)
    return {
      ...node,
      first: this.query(node.first),
      rest: node.rest.map((item) => ({ ...item, query: this.query(item.query) })),
    }
  }

  private select(node: Select): Select {
    const one = (item: Expression) => this.expression(item, node)
    const optional = (item: Expression | null) => (item === null ? null : one(item))
    const list = (items: readonly Expression[]) => items.map(one)
    return {
      ...node,
      with: node.with.map((item) =>
        item.kind === "commonTable"
          ? { ...item, query: this.query(item.query) }
          : { ...item, expression: one(item.expression) },
      ),
      columns: list(node.columns),
      from: node.from.map((source) => this.source(source, node)),
      arrayJoin: node.arrayJoin && { ...node.arrayJoin, items: list(node.arrayJoin.items) },
      prewhere: optional(node.prewhere),
      where: optional(node.where),
      groupBy: list(node.groupBy),
      having: optional(node.having),
      windows: node.windows.map(([name, window]) => [name, this.window(window, node)] as const),
      qualify: optional(node.qualify),
      orderBy: this.order(node.orderBy, node),
      limitBy: node.limitBy && {
        count: one(node.limitBy.count),
        offset: optional(node.limitBy.offset),
        by: list(node.limitBy.by),
      },
      limit: optional(node.limit),
      offset: optional(node.offset),
    }
  }

  private source(node: TableSource, around: Select): TableSource {
    const { table } = node
    const isName = table.kind === "field" || table.kind === "placeholder"
    return {
      ...node,
      table: isName ? this.changeTable(table) : this.query(table),
      args: node.args?.map((item) => this.expression(item, around)) ?? null,
      sample: node.sample && {
        share: this.expression(node.sample.share, around),
        offset: node.sample.offset && this.expression(node.sample.offset, around),
      },
      on: node.on && this.expression(node.on, around),
      using: node.using?.map((item) => this.expression(item, around)) ?? null,
    }
  }

  private order(items: readonly OrderItem[], around: Select): OrderItem[] {
    return items.map((item) => ({ ...item, expression: this.expression(item.expression, around) }))
  }

  private window(node: Window, around: Select): Window {
    return {
      ...node,
      partitionBy: node.partitionBy.map((item) => this.expression(item, around)),
      orderBy: this.order(node.orderBy, around),
    }
  }

  private expression(node: Expression, around: Select): Expression {
    return this.change(this.copy(node, around), around)
  }

  private copy(node: Expression, around: Select): Expression {
    const one = (item: Expression) => this.expression(item, around)
    const optional = (item: Expression | null) => (item === null ? null : one(item))
    const list = (items: readonly Expression[]) => items.map(one)
    switch (node.kind) {
      case "constant":
      case "field":
      case "allColumns":
        return { ...node }
      case "alias":
      case "not":
      case "cast":
      case "placeholder":
      case "tupleAccess":
        return { ...node, expression: one(node.expression) }
      case "call":
        return {
          ...node,
          args: list(node.args),
          parameters: node.parameters && list(node.parameters),
          filter: optional(node.filter),
          order: node.order && { ...node.order, items: this.order(node.order.items, around) },
        }
      case "windowCall":
        return {
          ...node,
          args: list(node.args),
          parameters: node.parameters && list(node.parameters),
          over: typeof node.over === "string" ? node.over : this.window(node.over, around),
        }
      case "arithmetic":
      case "compare":
        return { ...node, left: one(node.left), right: one(node.right) }
      case "between":
        return { ...node, expression: one(node.expression), low: one(node.low), high: one(node.high) }
      case "and":
      case "or":
        return { ...node, expressions: list(node.expressions) }
      case "array":
      case "tuple":
      case "columnList":
        return { ...node, items: list(node.items) }
      case "dictionary":
        return { ...node, items: node.items.map(([key, value]) => [one(key), one(value)] as const) }
      case "element":
        return { ...node, expression: one(node.expression), index: one(node.index) }
      case "slice":
        return { ...node, expression: one(node.expression), from: optional(node.from), to: optional(node.to) }
      case "lambda":
        return { ...node, body: one(node.body) }
      case "select":
      case "selectSet":
        return this.query(node)
      default:
        return assertNever(node)
    }
  }
}
