import type { FunnelStep, Series } from "../pictures/drawable"
import type { ResultOf } from "./result"

/** The values of a breakdown as people read them; an event without the property has none. */
const nameBreakdown = (breakdown: readonly (string | null)[]): string =>
  breakdown.map((value) => (value === null || value === "" ? "(none)" : value)).join(", ")

/** The lines of a trend; values by which it is broken down name them, beside their event where there are several. */
export function toTrendSeries({ trends }: ResultOf<"TrendsResult">): Series[] {
  return trends.map(({ label, period, total, points }) => ({
    label: `${label || "All events"}${period === "PREVIOUS" ? " (period before)" : ""}`,
    isPrevious: period === "PREVIOUS",
    data: points.map(({ value }) => value ?? 0),
    labels: points.map(({ day }) => day),
    count: total ?? undefined,
  }))
}

/** One line for each series: actors by how many intervals they were there. */
export const toStickinessSeries = ({ stickiness }: ResultOf<"StickinessResult">): Series[] =>
  stickiness.map(({ label, total, points }) => ({
    label: label || "All events",
    data: points.map(({ actors }) => actors),
    labels: points.map((point) => point.label),
    count: total,
  }))

/** One line for each status: new, returning, resurrecting, dormant. */
export const toLifecycleSeries = ({ lifecycle }: ResultOf<"LifecycleResult">): Series[] =>
  lifecycle.map(({ status, points }) => ({
    label: `${status.charAt(0)}${status.slice(1).toLowerCase()}`,
    data: points.map(({ value }) => value ?? 0),
    labels: points.map(({ day }) => day),
  }))

/** The steps of each breakdown value, one funnel for each. */
export const toFunnels = ({ groups }: ResultOf<"FunnelResult">): FunnelStep[][] =>
  groups.map(({ breakdown, steps }) =>
    steps.map(({ name, count, medianSeconds }) => ({
      name,
      count,
      medianSeconds,
      breakdown_value: breakdown === null ? undefined : nameBreakdown(breakdown),
    })),
  )
