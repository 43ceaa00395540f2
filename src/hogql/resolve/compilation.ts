import type { ActionDefinition, CohortDefinition, HogqlScope } from "../hogql.types.js"
import { queryError } from "../hogql-error.js"
import type { Query, Span } from "../nodes/nodes.js"
import type { SqlQuery } from "../sql/sql.js"
import type { Environment } from "./environment.js"
import type { ResolvedColumn } from "./typed.js"

export interface ResolvedQuery {
  readonly sql: SqlQuery
  readonly columns: readonly ResolvedColumn[]
}

const MAX_COMMON_TABLE_EXPANSIONS = 50
const MAX_SELECTS = 500

/** What one compilation shares: the scope, fresh names, and what was used. */
export class Compilation {
  readonly tables = new Set<string>()
  readonly warnings: string[] = []
  /** `max_block_size` that the functions called so far need; null for the engine's own. */
  blockRows: number | null = null
  /** Dynamic cohorts whose definitions are being resolved, outermost first. */
  readonly cohortsUnderWay: CohortDefinition[] = []
  /** Actions whose steps are being resolved, outermost first. */
  readonly actionsUnderWay: ActionDefinition[] = []
  /** Members of the cohorts used so far, by id: used again they keep their generated names, by which ClickHouse compares. */
  readonly cohortMembers = new Map<number, SqlQuery>()
  /** Resolves a subquery; given by the entry point so that expressions and queries need not import each other. */
  readonly resolveQuery: (query: Query, environment: Environment | null) => ResolvedQuery
  private readonly counters = new Map<string, number>()
  private expansions = 0
  private selects = 0

  constructor(
    readonly scope: HogqlScope,
    resolveQuery: (compilation: Compilation, query: Query, environment: Environment | null) => ResolvedQuery,
  ) {
    this.resolveQuery = (query, environment) => resolveQuery(this, query, environment)
  }

  /** Notes what a function needs. */
  limitBlocks(rows: number | null): void {
    if (rows !== null) this.blockRows = Math.min(rows, this.blockRows ?? rows)
  }

  /** A name nobody else has: `a0`, `a1`, …. */
  freshName(prefix: string): string {
    const count = this.counters.get(prefix) ?? 0
    this.counters.set(prefix, count + 1)
    return `${prefix}${count}`
  }

  countSelect(at: Span): void {
    if (++this.selects > MAX_SELECTS) throw queryError(`A query may have at most ${MAX_SELECTS} SELECTs.`, at)
  }

  countExpansion(at: Span): void {
    if (++this.expansions > MAX_COMMON_TABLE_EXPANSIONS) {
      throw queryError(`Too many CTE expansions (${MAX_COMMON_TABLE_EXPANSIONS}+). Probably a CTE loop.`, at)
    }
  }
}
