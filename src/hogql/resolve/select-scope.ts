import { queryError } from "../hogql-error.js"
import type { Alias, Lambda, Query, Span, Window } from "../nodes/nodes.js"
import { sameText } from "../nodes/same-text.js"
import { UnresolvedField, unresolvedField } from "../suggest.js"
import type { Compilation, ResolvedQuery } from "./compilation.js"
import type { Environment } from "./environment.js"
import type { Relation } from "./relation.js"
import type { Typed } from "./typed.js"

/** A name that a SELECT gives to one of its values. Resolved when first needed, so order does not matter. */
export interface AliasEntry {
  readonly node: Alias
  readonly sqlName: string
  state: "new" | "resolving" | "done"
  typed: Typed | null
  holdsAggregate: boolean
}

/** A column that several tables have in common. */
export interface MergedColumn {
  /** The table whose column is shown. */
  readonly relation: Relation
  /** The value to show where no single table has it for every row; else null. */
  readonly value: Typed | null
}

type ArgumentName = readonly [name: string, sqlName: string]

/** Where in a SELECT an expression stands; decides which names it may use. */
export type Clause = "columns" | "where" | "on" | "group" | "having" | "order"

const OUTER_COLUMN = "A subquery does not see columns of the query around it: JOIN the two, or ask with IN (SELECT …)."

/** The names that expressions of one SELECT see. */
export class SelectScope {
  readonly relations: Relation[] = []
  readonly aliases = new Map<string, AliasEntry>()
  /** Windows of the WINDOW clause, whole: with what each takes over from another one. */
  readonly windows = new Map<string, Window>()
  /** Columns joined by USING, which are one, by name. */
  readonly merged = new Map<string, MergedColumn>()
  clause: Clause = "columns"
  /** Name of the aggregate whose arguments are being resolved. */
  aggregate: string | null = null
  /** How many aggregates were resolved so far: an expression that raises it holds one. */
  aggregatesSeen = 0
  private readonly lambdaArgs: ReadonlyMap<string, Typed>[] = []
  private readonly queries = new Map<Environment | null, Map<string, ResolvedQuery>>()
  private readonly lambdaNames = new Map<string, readonly ArgumentName[]>()

  constructor(
    readonly compilation: Compilation,
    public environment: Environment | null,
  ) {}

  addRelation(relation: Relation, at: Span): void {
    if (relation.name !== null && this.relations.some((known) => known.name === relation.name)) {
      throw queryError(`Already have joined a table called "${relation.name}". Can't redefine.`, at)
    }
    this.relations.push(relation)
  }

  /**
   * Resolves a subquery of an expression. Where the same text stands again, in GROUP BY say, the result is the same with the
   * same generated names, as ClickHouse compares the two expressions by them.
   */
  subquery(query: Query): ResolvedQuery {
    const known = this.queries.get(this.environment) ?? new Map<string, ResolvedQuery>()
    this.queries.set(this.environment, known)
    const text = sameText(query)
    const resolved = known.get(text) ?? this.resolveInner(query)
    known.set(text, resolved)
    return resolved
  }

  /** @throws HogqlError with a hint when the subquery names a column of this SELECT, which it does not see */
  private resolveInner(query: Query): ResolvedQuery {
    try {
      return this.compilation.resolveQuery(query, this.environment)
    } catch (error) {
      if (!(error instanceof UnresolvedField)) throw error
      const { written, start, end } = error
      if (!this.hasColumn(written.split("."))) throw error
      throw new UnresolvedField(written, OUTER_COLUMN, { start, end })
    }
  }

  private hasColumn([first = "", second = ""]: readonly string[]): boolean {
    const named = this.relations.find(({ name }) => name === first)
    return named === undefined
      ? this.relations.some((relation) => relation.columnNames().includes(first))
      : named.columnNames().includes(second)
  }

  /** The arguments of a lambda, each with its name in SQL. The same lambda text always gets the same names. */
  nameArguments(lambda: Lambda): readonly ArgumentName[] {
    const text = sameText(lambda)
    const names =
      this.lambdaNames.get(text) ?? lambda.args.map((name): ArgumentName => [name, this.compilation.freshName("l")])
    this.lambdaNames.set(text, names)
    return names
  }

  withLambda<Result>(args: ReadonlyMap<string, Typed>, run: () => Result): Result {
    this.lambdaArgs.push(args)
    try {
      return run()
    } finally {
      this.lambdaArgs.pop()
    }
  }

  /** How many lambdas are around the present place. */
  get lambdaDepth(): number {
    return this.lambdaArgs.length
  }

  findLambdaArg(name: string | number | undefined): Typed | undefined {
    if (typeof name !== "string") return undefined
    for (let index = this.lambdaArgs.length - 1; index >= 0; index--) {
      const found = this.lambdaArgs[index]?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A column by its chain, with or without the table's name in front. Null when no table has it. */
  findColumn(chain: readonly (string | number)[], at: Span): Typed | null {
    const [first, ...rest] = chain
    const named = this.relations.find((relation) => relation.name === first)
    if (named !== undefined && rest.length > 0) {
      const found = named.resolve(rest, at)
      if (found === null) {
        throw unresolvedField(rest.join("."), named.columnNames(), at)
      }
      return found
    }
    const found = this.relations.flatMap((relation) => relation.resolve(chain, at) ?? [])
    const merged = found.length > 1 && rest.length === 0 ? this.merged.get(String(first)) : undefined
    if (merged !== undefined) return merged.value ?? merged.relation.resolve(chain, at)
    if (found.length > 1) {
      throw queryError(`Ambiguous query. Found multiple sources for field: ${chain.join(".")}`, at)
    }
    if (found.length === 0 && named !== undefined) {
      throw queryError(`Can't select a table when a column is expected: ${first}`, at)
    }
    return found[0] ?? null
  }

  /** Names to suggest for one that is unknown. */
  *knownNames(): Iterable<string> {
    yield* this.aliases.keys()
    for (const relation of this.relations) {
      if (relation.name !== null) yield relation.name
      yield* relation.columnNames()
    }
  }
}
