import { toPropertyColumn, toSpareColumn } from "../../kernel/property-columns.js"
import { queryError } from "../hogql-error.js"
import { NOWHERE, type Span } from "../nodes/nodes.js"
import type { ColumnDefinition, LazyJoin, TableDefinition } from "../schema/schema.js"
import { schemaTable } from "../schema/tables.js"
import {
  aliased,
  column,
  type SqlExpression,
  type SqlQuery,
  type SqlSelect,
  type SqlSource,
  sqlCall,
  sqlSelect,
  sqlText,
  type TypeName,
  trusted,
  type,
} from "../sql/sql.js"
import { timezoneLiteral } from "../sql/timezone.js"
import { unresolvedField } from "../suggest.js"
import type { Compilation } from "./compilation.js"
import { deeper, readProperty } from "./property.js"
import type { Relation } from "./relation.js"
import type { PropertyRead, ResolvedColumn, Typed } from "./typed.js"

interface Joined {
  readonly definition: LazyJoin
  readonly relation: TableRelation
  /** The joined table's key column; empty where no row was joined. */
  readonly key: SqlExpression
  readonly on: SqlExpression
}

/** What `person.properties.email` leads to: a column of this relation or of one joined to it, and the rest of the names. */
interface Target {
  /** Selects the column. @returns what the SELECT calls it. */
  readonly select: () => string
  /** Selects the column that holds one property of a `Json` column; null where none does. */
  readonly selectProperty: (name: string) => string | null
  readonly definition: ColumnDefinition
  readonly groupIndex: number | null
  readonly rest: readonly (string | number)[]
}

/**
 * A table of the schema, read through a SELECT of its own that has exactly the columns asked for. Lazy joins live inside
 * that SELECT, so nothing in the user's query can touch the stored table, its guard or the join.
 */
export class TableRelation implements Relation {
  readonly name: string | null
  readonly tableName: string
  private readonly definition: TableDefinition
  private readonly isJoined: boolean
  private readonly groupIndex: number | null
  private readonly extraWhere: string | null
  /** What stands for the stored table when its rows are calculated. */
  private readonly rows: SqlQuery | null
  private readonly selected = new Map<string, SqlExpression>()
  /** What the SELECT calls properties that are read out of a text here and not where they are asked for. */
  private readonly extracted = new Map<string, string>()
  private readonly joinedColumns = new Map<string, SqlExpression>()
  private readonly joins = new Map<string, Joined>()

  constructor(
    definition: TableDefinition,
    private readonly compilation: Compilation,
    readonly alias: string,
    options: { name?: string | null; via?: LazyJoin; rows?: SqlQuery; where?: string | null } = {},
  ) {
    this.name = options.name ?? null
    this.tableName = definition.name
    this.definition = (compilation.scope.hasAllSessions === false && definition.recounted) || definition
    this.isJoined = options.via !== undefined
    this.groupIndex = options.via?.groupIndex ?? null
    this.extraWhere = options.via?.where ?? options.where ?? null
    this.rows = options.rows ?? null
    compilation.tables.add(definition.name)
  }

  resolve(chain: readonly (string | number)[], at: Span): Typed | null {
    const target = this.target(chain, at)
    if (target === null) return null
    const { definition, rest } = target
    if (definition.type === "Json") {
      const whole: PropertyRead = {
        column: () => column(this.alias, target.select()),
        propertyColumn: (name) => {
          const sqlName = target.selectProperty(name)
          return sqlName === null ? null : column(this.alias, sqlName)
        },
        path: [],
        owner: definition.owner ?? "event",
        groupIndex: target.groupIndex,
      }
      return readProperty(
        rest.reduce((read, part) => deeper(read, part, at), whole),
        this.compilation.scope,
      )
    }
    if (rest.length > 0) throw queryError(`Unable to resolve field: ${chain.join(".")}`, at)
    const value = column(this.alias, target.select())
    const { timezone } = this.compilation.scope
    const known = type(definition.type, definition.nullable ?? false)
    if (definition.type !== "DateTime" || timezone === "UTC") return { sql: value, type: known }
    return { sql: sqlCall("toTimeZone", value, timezoneLiteral(timezone)), type: known, stored: value }
  }

  allColumns(): ResolvedColumn[] {
    return Object.entries(this.definition.columns).flatMap(([name, { star }]) => {
      const typed = star === false ? null : this.resolve([name], NOWHERE)
      return typed === null ? [] : [{ name, sqlName: name, typed }]
    })
  }

  /** A column that the schema has, by its name. */
  read(name: string): SqlExpression {
    const target = this.target([name], NOWHERE)
    if (target === null) throw new Error(`the schema names an unknown column: ${name}`)
    return column(this.alias, target.select())
  }

  columnNames(): string[] {
    const joins = Object.entries(this.definition.joins ?? {}).flatMap(([name, join]) => (join.hidden ? [] : [name]))
    const { columns, namespaces = {}, paths = {} } = this.definition
    return [...Object.keys(columns), ...joins, ...Object.keys(namespaces), ...Object.keys(paths)]
  }

  toTable(): SqlSelect {
    const joins: SqlSource[] = [...this.joins.values()].map(({ relation, on }) => ({
      table: relation.toTable(),
      alias: relation.alias,
      join: "LEFT JOIN",
      on,
    }))
    const own = [...this.selected].map(([name, sql]) => aliased(sql, name))
    const joined = [...this.joinedColumns].map(([name, sql]) => aliased(sql, name))
    const isGrouped = this.definition.groupBy !== undefined
    if (!isGrouped || joins.length === 0) return this.storedSelect([...own, ...joined], joins)
    const grouped: SqlSource = { table: this.storedSelect(own, []), alias: "r", join: null, on: null }
    const passed = [...this.selected.keys()].map((name) => aliased(column("r", name), name))
    return sqlSelect({ columns: [...passed, ...joined], from: [grouped, ...joins] })
  }

  private storedSelect(columns: readonly SqlExpression[], joins: readonly SqlSource[]): SqlSelect {
    const { definition } = this
    const stored: SqlSource = {
      table: this.rows ?? { kind: "realTable", name: definition.stored },
      alias: "r",
      join: null,
      on: null,
      ...(definition.isFinal && { isFinal: true as const }),
    }
    const conditions = [definition.where, this.extraWhere].filter((condition) => typeof condition === "string")
    return sqlSelect({
      ...(this.rows === null && definition.groupBy === undefined && !definition.isFinal && { isReading: true }),
      ...(definition.timesOfRow !== undefined && { timesOfRow: definition.timesOfRow }),
      columns: columns.length > 0 ? columns : [aliased(trusted("1"), "one")],
      from: [stored, ...joins],
      where: conditions.length > 0 ? trusted(conditions.map((condition) => `(${condition})`).join(" AND ")) : null,
      groupBy: (definition.groupBy ?? []).map(trusted),
      having: definition.having === undefined ? null : trusted(definition.having),
    })
  }

  private target(chain: readonly (string | number)[], at: Span): Target | null {
    const [first, ...rest] = chain
    if (typeof first !== "string") return null
    const own = get(this.definition.columns, first)
    if (own !== undefined) return this.ownTarget(first, own, rest)
    const namespace = get(this.definition.namespaces ?? {}, first)
    if (namespace !== undefined) return this.inNamespace(first, namespace, rest, at)
    const path = get(this.definition.paths ?? {}, first)
    if (path !== undefined) return this.target([...path, ...rest], at)
    const join = this.findJoin(first)
    return join === null ? null : this.throughJoin(first, join, rest, at)
  }

  private ownTarget(name: string, definition: ColumnDefinition, rest: Target["rest"]): Target {
    return {
      select: () => this.select(name, definition),
      selectProperty: (property) => {
        const sql = get(definition.properties ?? {}, property)
        if (sql !== undefined) return this.select(toPropertyColumn(property), { type: "String", nullable: true, sql })
        const spare = definition.hasSpares ? this.selectSpare(property) : null
        return spare ?? (this.isJoined ? this.selectExtracted(property, definition) : null)
      },
      definition,
      groupIndex: this.groupIndex,
      rest,
    }
  }

  private inNamespace(
    name: string,
    columns: Readonly<Record<string, string>>,
    rest: readonly (string | number)[],
    at: Span,
  ) {
    const [next, ...deep] = rest
    if (next === undefined) throw queryError(`Can't select a table when a column is expected: ${name}`, at)
    const actual = get(columns, String(next))
    if (actual === undefined) throw unresolvedField(String(next), Object.keys(columns), at)
    return this.target([actual, ...deep], at)
  }

  private throughJoin(name: string, join: LazyJoin, rest: readonly (string | number)[], at: Span): Target {
    if (rest.length === 0) throw queryError(`Can't select a table when a column is expected: ${name}`, at)
    const { relation, key } = this.join(name, join)
    const target = relation.target(rest, at)
    if (target === null) {
      throw unresolvedField(String(rest[0]), relation.columnNames(), at)
    }
    const { definition } = target
    const isBare = definition.nullable === true || HOLDS_NO_NULL.has(definition.type)
    const pass = (inner: string): string => {
      const sqlName = `${name}__${inner}`
      const value = column(relation.alias, inner)
      if (!this.joinedColumns.has(sqlName)) this.joinedColumns.set(sqlName, isBare ? value : orNoRow(key, value))
      return sqlName
    }
    return {
      ...target,
      select: () => pass(target.select()),
      selectProperty: (property) => {
        const inner = target.selectProperty(property)
        return inner === null ? null : pass(inner)
      },
      definition: isBare ? definition : { ...definition, nullable: true },
    }
  }

  /** A lazy join by its name, or by the name of the group type it stands for. */
  private findJoin(name: string): LazyJoin | null {
    const join = get(this.definition.joins ?? {}, name) ?? this.groupJoin(name)
    return join === undefined || join.hidden ? null : join
  }

  private groupJoin(typeName: string): LazyJoin | undefined {
    const index = this.compilation.scope.groupTypes.get(typeName)
    return index === undefined ? undefined : get(this.definition.joins ?? {}, `group_${index}`)
  }

  private join(name: string, definition: LazyJoin): Joined {
    const known = this.joins.get(name)
    if (known !== undefined) return known
    const relation = new TableRelation(schemaTable(definition.table), this.compilation, `j_${name}`, {
      via: definition,
    })
    for (const taken of definition.takes ?? []) relation.read(taken)
    const own = this.joinKey(definition.from)
    const key = relation.read(definition.to)
    const joined = { definition, relation, key, on: sqlCall("equals", own, key) }
    this.joins.set(name, joined)
    return joined
  }

  /** Rows that are grouped are joined after the grouping, so the key is a column of the grouped rows. */
  private joinKey(name: string): SqlExpression {
    const definition = get(this.definition.columns, name)
    if (this.definition.groupBy === undefined || definition === undefined) return this.columnSql(name, definition)
    return column("r", this.select(name, definition))
  }

  private select(name: string, definition: ColumnDefinition): string {
    if (!this.selected.has(name)) this.selected.set(name, this.columnSql(name, definition))
    return name
  }

  private selectSpare(property: string): string | null {
    const spare = this.compilation.scope.spares?.get(property)
    if (spare === undefined) return null
    const name = toSpareColumn(spare)
    this.selected.set(name, { kind: "spare", spare, property })
    return name
  }

  /** The property of a row that is joined to many is read out of its text once, and no text goes through the join. */
  private selectExtracted(property: string, { sql }: ColumnDefinition): string {
    const name = this.extracted.get(property) ?? toPropertyColumn(String(this.extracted.size + 1))
    this.extracted.set(property, name)
    this.selected.set(name, sqlCall("JSONExtract", trusted(sql), sqlText(property), trusted("'Nullable(String)'")))
    return name
  }

  private columnSql(
    name: string,
    definition: ColumnDefinition | undefined = get(this.definition.columns, name),
  ): SqlExpression {
    if (definition === undefined) throw new Error(`the schema names an unknown column: ${name}`)
    const { needs } = definition
    const join = needs === undefined ? undefined : get(this.definition.joins ?? {}, needs)
    if (needs !== undefined && join !== undefined) this.join(needs, join)
    return trusted(definition.sql)
  }
}

/** Lists cannot be null, and properties read from missing JSON are null anyway. */
const HOLDS_NO_NULL: ReadonlySet<TypeName> = new Set<TypeName>(["Array", "Json"])

/** Null where no row was joined: there ClickHouse gives 0, "" or 1970 for the other table's columns, its key included. */
const orNoRow = (key: SqlExpression, value: SqlExpression): SqlExpression =>
  sqlCall("if", sqlCall("empty", key), trusted("NULL"), value)

/** Own keys only: `constructor` is no column. */
function get<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
