import type { QueryObject } from "../queries/index.js"
import type { InsightFilterInput, SavedInsightInput } from "./insights.graphql.js"
import type { Saved, SavedFilter } from "./saved/saved.types.js"

/** A query that is kept under a name (`docs/graphql.md#insights-and-dashboards`). */
export interface Insight extends Saved {
  /** As REST takes it. */
  readonly query: QueryObject
}

/** What a caller writes of an insight; an absent field stays as it is. */
export type InsightRequest = Readonly<SavedInsightInput>

/** Conditions of a list; all given ones must hold. */
export interface InsightFilter extends SavedFilter {
  readonly kind?: NonNullable<InsightFilterInput["kind"]> | undefined
}
