import { type Expression, nodes } from "../../../hogql/index.js"
import type { Series } from "./series.js"

const { call, constant } = nodes

const QUANTILES: Readonly<Record<string, number>> = { p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

/** An aggregate of numbers by its name in `math`: sum, avg, min, max, median or a percentile. */
export function toAggregate(name: string, value: Expression): Expression {
  const quantile = QUANTILES[name]
  return quantile === undefined ? call(name, [value]) : call("quantile", [value], { parameters: [constant(quantile)] })
}

/** The value of a group of events, for maths that need no more than the events themselves. */
export function toEventAggregate({ math, value, actor, formula }: Series): Expression {
  if (formula !== null) return formula
  if (value !== null) return toAggregate(math, value)
  return math === "total" ? call("count") : call("uniqExact", [actor])
}

const FIRST_TIMES = ["first_time_for_user", "first_matching_event_for_user", "first_time_for_user_with_filters"]

/** Whether a series counts persons by a first event of theirs. */
export const isOfFirstTimes = ({ math }: Series): boolean => FIRST_TIMES.includes(math)

/**
 * The events of which a person's first one counts: those of the series' name, whose first one must then fit the
 * filters, or only those that fit.
 */
export const toFirstOnes = ({ math, eventCondition }: Series, fits: Expression): Expression =>
  math === "first_time_for_user" ? eventCondition : fits
