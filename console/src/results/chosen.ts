import type { LifecycleStatus } from "../graph/generated/graphql"

type Breakdown = readonly (string | null)[] | null

/** The part of a picture that was chosen: the persons behind it can be asked for. */
export type Chosen = { readonly title: string } & (
  | {
      readonly of: "trends"
      readonly series: number
      readonly breakdown: Breakdown
      /** Begin of the interval; the whole time when absent. */
      readonly day?: string
      readonly isPrevious: boolean
    }
  /** A step from 1; negative for those who left before it. */
  | { readonly of: "funnel"; readonly step: number; readonly breakdown: Breakdown }
  | { readonly of: "retention"; readonly interval: number; readonly breakdown: Breakdown }
  | { readonly of: "paths"; readonly from: string; readonly to: string }
  | { readonly of: "stickiness"; readonly series: number; readonly intervals: number }
  | { readonly of: "lifecycle"; readonly status: LifecycleStatus; readonly day: string }
)
