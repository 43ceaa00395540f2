import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import type { Json } from "../../../../kernel/json.js"
import { type Breakdown, OTHER_BREAKDOWN } from "../../insights/breakdown.js"
import { template } from "../../insights/template.js"
import type { RunScope } from "../../queries.types.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { actorsPerEvent, type Trend, trendSelect, whereOf } from "./trend-select.js"

const { array, call, compare, constant } = nodes

const otherOf = ({ isMultiple }: Breakdown): Expression =>
  isMultiple ? array([constant(OTHER_BREAKDOWN)]) : constant(OTHER_BREAKDOWN)

/** Whether the value of several groups is the sum of theirs, so that one reading of the events is enough. */
export const isAdditive = ({ series }: Trend): boolean => series.math === "total"

/** The values with the most, and the others added up, from one reading of the events. */
export const additiveBreakdown = async (trend: Trend, breakdown: Breakdown): Promise<Query> =>
  fromOneReading("sum", await trendSelect({ ...trend, breakdown: breakdown.expression }), breakdown)

/** As many values as this, each with its actors for each interval, are little to keep in memory. */
const FEW_VALUES = 100
const SAMPLED_EVENTS = 10_000

/** One row with how many values some of the events have; null where the actors of several groups cannot be put together. */
export const sampledValues = async (trend: Trend, { expression }: Breakdown): Promise<Query | null> =>
  actorsPerEvent(trend) === null
    ? null
    : template(
        "SELECT uniqExact(value) FROM (SELECT {expression} AS value FROM events WHERE {where} LIMIT {sampled})",
        {
          expression,
          where: whereOf(trend),
          sampled: constant(SAMPLED_EVENTS),
        },
      )

/** Whether a reading of `sampledValues` found so few values that actors are counted in one reading. */
export const areFew = (count: Json | undefined): boolean => Number(count ?? 0) <= FEW_VALUES

/**
 * As `additiveBreakdown` for actors, each counted once: who they are is kept for every value and interval, which takes little
 * for few values (half the time of two readings), and more memory than there is for very many (`docs/decisions/0026`).
 */
export async function mergedBreakdown(trend: Trend, breakdown: Breakdown): Promise<Query> {
  const actors = actorsPerEvent({ ...trend, breakdown: breakdown.expression })
  if (actors === null) throw new Error(`actors of ${trend.series.math} cannot be put together`)
  return fromOneReading("uniqExactMerge", actors, breakdown)
}

function fromOneReading(total: string, rows: Query, breakdown: Breakdown): Promise<Query> {
  return template(
    `SELECT bucket, if(place <= {limit}, found, {other}) AS breakdown, ${total}(value) AS value
     FROM (
       SELECT bucket, breakdown AS found, value, dense_rank() OVER (ORDER BY total DESC, breakdown) AS place
       FROM (SELECT bucket, breakdown, value, ${total}(value) OVER (PARTITION BY breakdown) AS total FROM {rows})
     )
     GROUP BY bucket, breakdown`,
    { rows, limit: constant(breakdown.limit), other: otherOf(breakdown) },
  )
}

/** Edges of bins that hold as many events each, of all the events that are told apart. */
export async function binEdges(
  value: Expression,
  bins: number,
  where: Expression,
  runner: HogqlRunner,
  run: RunScope,
): Promise<number[]> {
  const levels = Array.from({ length: bins + 1 }, (_, index) => index / bins)
  const found = await template(
    `SELECT quantilesExact(${levels.join(", ")})({value}) FROM events WHERE {where} AND {value} IS NOT NULL`,
    {
      value,
      where,
    },
  )
  const { rows } = await runner.runNodes(found, run)
  const edges = rows[0]?.[0]
  return Array.isArray(edges) ? edges.filter((edge) => typeof edge === "number") : []
}

/** The values with the most over the whole period, of all of these series together. */
export async function topValues(trends: readonly Trend[], breakdown: Breakdown): Promise<Query> {
  const totals = trends.map((trend) => trendSelect({ ...trend, isTotal: true, breakdown: breakdown.expression }))
  const named = await Promise.all(totals.map(async (total, place) => [`totals_${place}`, await total] as const))
  const rows = named.map(([name]) => `SELECT breakdown, value FROM {${name}}`).join(" UNION ALL ")
  return template(
    `SELECT breakdown FROM (${rows}) GROUP BY breakdown ORDER BY sum(value) DESC, breakdown LIMIT {limit}`,
    {
      ...Object.fromEntries(named),
      limit: constant(breakdown.limit),
    },
  )
}

/** The series told apart by these values, every other value as one. */
export async function breakdownByValues(trend: Trend, breakdown: Breakdown, values: readonly Json[]): Promise<Query> {
  // Cohorts that are asked for are all shown.
  if (breakdown.list !== null) return trendSelect({ ...trend, breakdown: breakdown.expression })
  const known = array(values.map(toNode))
  const { expression } = breakdown
  const shown = call("if", [compare("in", expression, known), expression, otherOf(breakdown)])
  return trendSelect({ ...trend, breakdown: shown })
}

const toNode = (value: Json): Expression =>
  Array.isArray(value) ? array(value.map(toNode)) : constant(typeof value === "string" ? value : String(value))
