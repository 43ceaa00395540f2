import {
  type SqlExpression,
  type SqlOrder,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
  type SqlWindow,
  sqlCall,
} from "../sql/sql.js"
import { isGuarded } from "../transform/guard.js"
import { orderSuffix } from "./order-suffix.js"

export interface PrintedSql {
  readonly sql: string
  /** Texts bound to `{p0:String}`, `{p1:String}`, …. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Prints SQL for ClickHouse. Texts become parameters; throws for a stored table without its guard, which is a defect. */
export function printSql(query: SqlQuery): PrintedSql {
  const printer = new Printer()
  return { sql: printer.query(query), parameters: printer.parameters }
}

/** The guard always stands first. */
const joinPushed = (guard: SqlExpression, pushed: readonly SqlExpression[] = []): SqlExpression =>
  pushed.length === 0 ? guard : sqlCall("and", guard, ...pushed)

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/

class Printer {
  readonly parameters: Record<string, string> = {}
  private readonly names = new Map<string, string>()

  query(query: SqlQuery): string {
    if (query.kind === "sqlSelect") return this.select(query)
    const rest = query.rest.map((item) => ` ${item.operator} (${this.query(item.query)})`)
    return `(${this.query(query.first)})${rest.join("")}`
  }

  private select(select: SqlSelect): string {
    if (!isGuarded(select)) throw new Error("a real table would be read without the project guard")
    const { recursive } = select
    const clauses = [
      recursive && `WITH RECURSIVE ${this.name(recursive.name)} AS (${this.query(recursive.query)})`,
      `SELECT ${select.distinct ? "DISTINCT " : ""}${this.list(select.columns)}`,
      select.from.length > 0 && `FROM ${select.from.map((source) => this.source(source)).join(" ")}`,
      select.arrayJoin && `${select.arrayJoin.left ? "LEFT " : ""}ARRAY JOIN ${this.list(select.arrayJoin.items)}`,
      select.guard && `PREWHERE ${this.expression(joinPushed(select.guard, select.pushed))}`,
      select.where && `WHERE ${this.expression(select.where)}`,
      this.groupBy(select),
      select.having && `HAVING ${this.expression(select.having)}`,
      select.qualify && `QUALIFY ${this.expression(select.qualify)}`,
      select.orderBy.length > 0 && `ORDER BY ${this.order(select.orderBy)}`,
      select.limitBy &&
        `LIMIT ${this.whole(select.limitBy.count)} OFFSET ${this.whole(select.limitBy.offset)} BY ${this.list(select.limitBy.by)}`,
      select.limit !== null && `LIMIT ${this.whole(select.limit)}`,
      select.offset !== null && `OFFSET ${this.whole(select.offset)}`,
      select.limit !== null && select.withTies && "WITH TIES",
    ]
    return clauses.filter((clause) => typeof clause === "string").join(" ")
  }

  private groupBy({ groupBy, groupMode }: SqlSelect): string | false {
    if (groupMode === "all") return "GROUP BY ALL"
    if (groupBy.length === 0) return false
    if (groupMode === null) return `GROUP BY ${this.list(groupBy)}`
    if (groupMode !== "sets") return `GROUP BY ${groupMode.toUpperCase()}(${this.list(groupBy)})`
    const sets = groupBy.map((set) => `(${this.list(set.kind === "call" ? set.args : [set])})`)
    return `GROUP BY GROUPING SETS (${sets.join(", ")})`
  }

  private source(source: SqlSource): string {
    const { table } = source
    const body =
      table.kind === "realTable" || table.kind === "recursiveTable"
        ? this.name(table.name)
        : table.kind === "numbers"
          ? `${table.name}(${this.list(table.args)})`
          : `(${this.query(table)})`
    const on = source.on === null ? "" : ` ON ${this.expression(source.on)}`
    const final = source.isFinal ? " FINAL" : ""
    return `${source.join === null ? "" : `${source.join} `}${body} AS ${this.name(source.alias)}${final}${on}`
  }

  private expression(item: SqlExpression): string {
    switch (item.kind) {
      case "text":
        return this.parameter(item.value)
      case "number":
        return `${printNumber(item.value)}${item.isFraction && Number.isSafeInteger(item.value) ? ".0" : ""}`
      case "trusted":
        return item.sql
      case "column":
        return item.source === null ? this.name(item.name) : `${this.name(item.source)}.${this.name(item.name)}`
      case "spare":
        throw new Error("a property with a spare column would be read in no way")
      case "call": {
        const parameters = item.parameters === null ? "" : `(${this.list(item.parameters)})`
        return `${this.name(item.name)}${parameters}(${item.distinct ? "DISTINCT " : ""}${this.list(item.args)})`
      }
      case "aliased":
        return `${this.expression(item.expression)} AS ${this.name(item.name)}`
      case "lambda":
        return `(${item.args.map((name) => this.name(name)).join(", ")}) -> ${this.expression(item.body)}`
      case "window":
        return `${this.expression(item.call)} OVER (${this.window(item.over)})`
      case "query":
        return `(${this.query(item.query)})`
    }
  }

  private window(window: SqlWindow): string {
    const clauses = [
      window.partitionBy.length > 0 && `PARTITION BY ${this.list(window.partitionBy)}`,
      window.orderBy.length > 0 && `ORDER BY ${this.order(window.orderBy)}`,
      window.frame,
    ]
    return clauses.filter((clause) => typeof clause === "string").join(" ")
  }

  private order(items: readonly SqlOrder[]): string {
    return items.map((item) => `${this.expression(item.expression)}${orderSuffix(item)}`).join(", ")
  }

  private list(items: readonly SqlExpression[]): string {
    return items.map((item) => this.expression(item)).join(", ")
  }

  /** Equal texts share a parameter, so that an expression and its copy in GROUP BY stay the same to the engine. */
  private parameter(value: string): string {
    let name = this.names.get(value)
    if (name === undefined) {
      name = `p${this.names.size}`
      this.names.set(value, name)
      this.parameters[name] = value
    }
    return `{${name}:String}`
  }

  private name(name: string): string {
    if (!NAME.test(name)) throw new Error(`not a name the compiler makes: ${JSON.stringify(name)}`)
    return name.includes("$") ? `\`${name}\`` : name
  }

  private whole(value: number): string {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a row count: ${value}`)
    return String(value)
  }
}

function printNumber(value: number | bigint): string {
  if (typeof value === "bigint") return String(value)
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  return Object.is(value, -0) ? "0" : String(value)
}
