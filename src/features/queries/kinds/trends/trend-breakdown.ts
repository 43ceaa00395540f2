import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { type Breakdown, otherValue } from "../../insights/breakdown.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { selectActorsPerEvent, selectTrend, type Trend, toWhere } from "./trend-select.js"

const { array, call, compare, constant } = nodes

/** Whether values of a breakdown can be added up to that of all others, so that one pass over the events is enough. */
export const isAdditive = ({ series }: Trend): boolean => series.math === "total"

/** The values with the most, and the others added up, from one pass over the events. */
export const selectAdditive = (trend: Trend, breakdown: Breakdown): Query =>
  selectFromOneReading("sum", selectTrend({ ...trend, breakdown: breakdown.expression }), breakdown)

/** Up to so many values, the actors of each value and interval take little memory. */
const FEW_VALUES = 100
const SAMPLED_EVENTS = 10_000

/** One row: how many values a sample of the events has. Null for a series that does not count distinct actors. */
export const selectSample = (trend: Trend, { expression }: Breakdown): Query | null =>
  selectActorsPerEvent(trend) === null
    ? null
    : template(
        "SELECT uniqExact(value) FROM (SELECT {expression} AS value FROM events WHERE {where} LIMIT {sampled})",
        { expression, where: toWhere(trend), sampled: constant(SAMPLED_EVENTS) },
      )

/** Whether `selectSample` found so few values that actors can be counted in one pass. */
export const areFew = (count: Json | undefined): boolean => Number(count ?? 0) <= FEW_VALUES

/**
 * As `selectAdditive`, for distinct actors: their states (`uniqExactState`) are kept for every value and interval, so that those
 * beyond the limit can be merged. With few values it takes half the time of two passes; with very many it would run out of
 * memory (decision 0026).
 */
export function selectMerged(trend: Trend, breakdown: Breakdown): Query {
  const actors = selectActorsPerEvent({ ...trend, breakdown: breakdown.expression })
  if (actors === null) throw new Error(`actors of ${trend.series.math} cannot be put together`)
  return selectFromOneReading("uniqExactMerge", actors, breakdown)
}

function selectFromOneReading(total: string, rows: Query, breakdown: Breakdown): Query {
  return template(
    `SELECT bucket, if(place <= {limit}, found, {other}) AS breakdown, ${total}(value) AS value
     FROM (
       SELECT bucket, breakdown AS found, value, dense_rank() OVER (ORDER BY total DESC, breakdown) AS place
       FROM (SELECT bucket, breakdown, value, ${total}(value) OVER (PARTITION BY breakdown) AS total FROM {rows})
     )
     GROUP BY bucket, breakdown`,
    { rows, limit: constant(breakdown.limit), other: otherValue(breakdown) },
  )
}

/**
 * Edges of bins that hold about equally many of the events, cut to hundredths; the last one lies just above the largest
 * number (`docs/contract/queries.md#trendsquery`).
 */
export async function findBinEdges(
  value: Expression,
  bins: number,
  where: Expression,
  context: KindContext,
): Promise<number[]> {
  const levels = Array.from({ length: bins + 1 }, (_, index) => index / bins)
  const { rows } = await context.select(
    template(
      `SELECT arrayCompact(arrayMap(x -> floor(x, 2), quantilesExactInclusive(${levels.join(", ")})({value})))
       FROM events WHERE {where} AND {value} IS NOT NULL`,
      { value, where },
    ),
  )
  const [found] = rows[0] ?? []
  const edges = Array.isArray(found) ? found.filter((edge) => typeof edge === "number") : []
  const largest = edges.at(-1)
  if (largest === undefined) return []
  return [...(edges.length === 1 ? edges : edges.slice(0, -1)), Math.round((largest + 0.01) * 100) / 100]
}

/** The values with the most over the whole period, of all of these series together. */
export function selectTopValues(trends: readonly Trend[], breakdown: Breakdown): Query {
  const totals = trends.map(
    (trend, place) =>
      [
        `totals_${place}`,
        selectTrend({ ...trend, isTotal: true, isCumulative: false, breakdown: breakdown.expression }),
      ] as const,
  )
  const rows = totals.map(([name]) => `SELECT breakdown, value FROM {${name}}`).join(" UNION ALL ")
  return template(
    `SELECT breakdown FROM (${rows}) GROUP BY breakdown ORDER BY sum(value) DESC, breakdown LIMIT {limit}`,
    { ...Object.fromEntries(totals), limit: constant(breakdown.limit) },
  )
}

/** The series broken down by these values, all others as one. */
export function selectByValues(trend: Trend, breakdown: Breakdown, values: readonly Json[]): Query {
  const { expression, list } = breakdown
  // Cohorts that are asked for are all shown.
  if (list !== null) return selectTrend({ ...trend, breakdown: expression })
  const isKnown = compare("in", expression, array(values.map(toNode)))
  return selectTrend({ ...trend, breakdown: call("if", [isKnown, expression, otherValue(breakdown)]) })
}

const toNode = (value: Json): Expression =>
  Array.isArray(value) ? array(value.map(toNode)) : constant(typeof value === "string" ? value : String(value))
