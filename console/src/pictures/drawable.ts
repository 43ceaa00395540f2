/** What can be drawn, as it is read from a GraphQL answer. */
export type Drawable =
  | { readonly kind: "lines"; readonly series: readonly Series[] }
  | { readonly kind: "funnel"; readonly funnels: readonly (readonly FunnelStep[])[] }
  | { readonly kind: "retention"; readonly cohorts: readonly RetentionCohort[] }
  | { readonly kind: "table"; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly kind: "run"; readonly run: Run }

export interface Series {
  readonly label: string
  readonly data: readonly number[]
  readonly days?: readonly string[]
  readonly labels?: readonly string[]
  readonly count?: number
  readonly aggregated_value?: number
  /** Whether it is of the period before. */
  readonly isPrevious?: boolean
}

export interface FunnelStep {
  readonly name?: string | null
  readonly custom_name?: string | null
  readonly count: number
  readonly breakdown_value?: unknown
  /** What half of those who came took from the step before. */
  readonly medianSeconds?: number | null
}

export interface RetentionCohort {
  readonly date?: string
  readonly label: string
  readonly values: readonly { readonly label?: string; readonly count: number }[]
}

export interface Run {
  readonly state: string
  readonly endedAt?: string | null
  readonly errorMessage?: string | null
  readonly error?: { readonly message?: string } | null
  readonly progress?: { readonly percentage?: number | null; readonly rowsRead?: number } | null
}
