import type { ProjectId } from "../kernel/ids.js"
import type { Json } from "../kernel/json.js"
import type { Query } from "./nodes/nodes.js"

/** Types that property definitions may give; anything else reads as text. */
export type PropertyType = "String" | "Numeric" | "Boolean" | "DateTime"

/**
 * What a query text comes with (`docs/contract/queries.md#hogql-placeholders`). All of it is bound, never spliced into
 * SQL.
 */
export interface HogqlQuery {
  readonly text: string
  /** `{name}`: JSON values. */
  readonly values?: Readonly<Record<string, unknown>>
  /** `{filters}`. */
  readonly filters?: HogqlFilters | null
  /** `{variables.code_name}`; each item either the value itself by code name, or `{code_name, value}` under any key. */
  readonly variables?: Readonly<Record<string, unknown>> | null
}

export interface HogqlFilters {
  readonly dateRange?: { readonly date_from?: string | null; readonly date_to?: string | null } | null
  /** A list of property filters or a group `{type: "AND" | "OR", values}`. */
  readonly properties?: unknown
  readonly filterTestAccounts?: boolean | null
}

/** Everything of a project that decides what its queries mean. */
export interface HogqlScope {
  readonly projectId: ProjectId
  /** IANA name. */
  readonly timezone: string
  readonly weekStartDay: "sunday" | "monday"
  readonly propertyDefinitions: {
    readonly event: ReadonlyMap<string, PropertyType>
    readonly person: ReadonlyMap<string, PropertyType>
    /** By group type index. */
    readonly group: ReadonlyMap<number, ReadonlyMap<string, PropertyType>>
  }
  /** Numbers of the spare columns of events, by the property that they hold. */
  readonly spares?: ReadonlyMap<string, number>
  /** Index of each group type, by its name. */
  readonly groupTypes: ReadonlyMap<string, number>
  /** Ids of cohorts by name, for `IN COHORT 'name'`. */
  readonly cohorts?: ReadonlyMap<string, number>
  /** All cohorts by id; any other is refused. Without it nothing is known of them, and members are those that are stored. */
  readonly cohortsById?: ReadonlyMap<number, CohortDefinition>
  /** All actions by id, for `matchesAction`. */
  readonly actions?: ReadonlyMap<number, ActionDefinition>
  /**
   * Rows of tables of records, by the table's name: a list of objects as JSON text
   * (`docs/contract/queries.md#tables-of-records`). Other tables of records cannot be read.
   */
  readonly records?: ReadonlyMap<string, string>
  /** The project's rules for paths, in the order in which they are applied; none when absent. */
  readonly pathCleaning?: readonly PathCleaningRule[]
  /** Property filters added when a query asks to leave test accounts out. */
  readonly testAccountFilters?: readonly Json[]
  /** What `now()` is, in milliseconds since the Unix epoch. */
  readonly nowMs: number
  readonly rowLimit?: RowLimit
  /** False while the roll-up lacks sessions of earlier events, so that all are worked out of events. */
  readonly hasAllSessions?: boolean
  /** Whether `inlineSubqueries` applies: for queries of insights, whose SELECTs are not shown in error messages. */
  readonly inlinesSubqueries?: boolean
}

/** What a cohort of the project means: a list of persons that is stored, or conditions. */
export interface CohortDefinition {
  readonly id: number
  readonly name: string
  readonly isStatic: boolean
  /** `{"properties": {"type": "AND" | "OR", "values": […]}}` as it was saved; null for a static cohort. */
  readonly filters: unknown
}

/** A name for the events that match any of some descriptions. */
export interface ActionDefinition {
  readonly id: number
  readonly name: string
  /** As they were saved (`docs/contract/queries.md#actions`). */
  readonly steps: unknown
}

/** What in a path is written as something else (`docs/contract/queries.md#path-cleaning`). */
export interface PathCleaningRule {
  /** An expression of RE2. */
  readonly regex: string
  readonly alias: string
}

export interface RowLimit {
  /** Rows given when the text has no LIMIT. */
  readonly defaultRows: number
  /** Rows given at most. */
  readonly maxRows: number
}

/** 100 rows unless asked for more, 50,000 at most (`docs/contract/queries.md#limits-of-queries`). */
export const STANDARD_ROW_LIMIT: RowLimit = { defaultRows: 100, maxRows: 50_000 }

export interface CompiledQuery {
  /** SQL with `{p0:String}` and `{project:Int64}` placeholders, no FORMAT and no SETTINGS. */
  readonly sql: string
  readonly parameters: Readonly<Record<string, string | number>>
  /** Names to show, in the order of the result's columns. */
  readonly columns: readonly string[]
  /** The query in normalised HogQL. */
  readonly hogql: string
  /** Rows to show. The SQL asks for one row more unless `exact`: when it comes, `hasMore` is true and it is cut off. */
  readonly limit: number
  readonly offset: number
  /** True when the SQL asks for exactly what is to be shown (LIMIT … WITH TIES), so that `hasMore` is unknown. */
  readonly exact: boolean
  /** Tables of HogQL that are read, sorted. */
  readonly tables: readonly string[]
  /** Sentences for the user about what was changed, such as a lowered LIMIT. */
  readonly warnings: readonly string[]
  /** `max_block_size` that the query needs so that it can be stopped; null for the engine's own. */
  readonly blockRows: number | null
  readonly ast: Query
}
