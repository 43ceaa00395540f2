import type { Json, JsonObject } from "../../../../kernel/json.js"
import { breakdownLabel } from "../../insights/breakdown.js"
import { type Bucket, bucketsOf } from "../../insights/buckets.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import type { Series } from "../../insights/series.js"
import type { QueryKind, QueryObject, RunScope } from "../../queries.types.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { readLifecycle, STATUSES } from "../lifecycle-query.js"
import { readRetention } from "../retention/read-retention.js"
import { intervalLabel, readStickiness } from "../stickiness-query.js"
import { createTrendsQueryKind, readTrends } from "../trends/trends-query.js"
import { ACTOR_KINDS, isActorKind, readInsight } from "./insight-actors.js"

type Option = { readonly label: string; readonly value: Json }
type Options = Readonly<Record<string, Option[] | JsonObject[]>>

/** Every choice that an insight may leave. */
const NOTHING = { day: null, status: null, interval: null, breakdown: null, series: null, compare: null }

/**
 * Kind `InsightActorsQueryOptions`: what an `InsightActorsQuery` may name a point of its insight by; null for what the insight
 * has no choice of.
 */
export const createInsightActorsOptionsKind = (runner: HogqlRunner): QueryKind => ({
  kind: "InsightActorsQueryOptions",
  async run(query, run) {
    const reader = new QueryReader(query, "InsightActorsQueryOptions").object("source")
    const kind = reader.requiredText("kind")
    if (!isActorKind(kind)) throw reader.fault("kind", `must be one of: ${ACTOR_KINDS.join(", ")}`)
    const { insight, source } = readInsight(reader, kind)
    const options = await orQueryFault(async () => (await OPTIONS[insight]?.(source, reader, runner, run)) ?? {})
    return { ...NOTHING, ...options }
  },
})

const OPTIONS: Readonly<
  Record<string, (source: QueryReader, reader: QueryReader, runner: HogqlRunner, run: RunScope) => Promise<Options>>
> = {
  async TrendsQuery(source, reader, runner, run) {
    const { series, periods, interval, isTotal, breakdown } = await readTrends(source, runner, run)
    const period = periods.find(({ compare }) => compare === reader.value("compare")) ?? periods[0]
    const isCompared = periods.length > 1
    return {
      series: seriesOptions(series),
      ...(!isTotal && period && { day: days(bucketsOf(period.range, interval, run)) }),
      ...(isCompared && { compare: COMPARE }),
      ...(breakdown !== null && (await breakdownOptions(source.json as QueryObject, runner, run))),
    }
  },
  async StickinessQuery(source, _reader, runner, run) {
    const { series, range, previous, interval } = await readStickiness(source, runner, run)
    const counts = bucketsOf(range, interval, run).map((_, index) => index + 1)
    return {
      series: seriesOptions(series),
      day: counts.map((count) => ({ label: intervalLabel(count, interval), value: count })),
      ...(previous !== null && { compare: COMPARE }),
    }
  },
  async LifecycleQuery(source, _reader, runner, run) {
    const { shown } = await readLifecycle(source, runner, run)
    const status = STATUSES.map((value) => ({ label: value.charAt(0).toUpperCase() + value.slice(1), value }))
    return { day: days(shown), status }
  },
  async RetentionQuery(source, _reader, runner, run) {
    const { buckets, period } = await readRetention(source, await runner.scopeOf(run), run)
    return { interval: buckets.map((_, value) => ({ label: `${period} ${value}`, value })) }
  },
}

const COMPARE: Option[] = [
  { label: "Current", value: "current" },
  { label: "Previous", value: "previous" },
]

const days = (buckets: readonly Bucket[]): Option[] => buckets.map(({ label, day }) => ({ label, value: day }))

const seriesOptions = (series: readonly Series[]): Option[] =>
  series.map(({ customName, name, order }) => ({ label: customName ?? name, value: order }))

/** The values that the insight shows; of several breakdowns, those of each. */
async function breakdownOptions(trends: QueryObject, runner: HogqlRunner, run: RunScope): Promise<Options> {
  const { results } = await createTrendsQueryKind(runner).run(trends, run)
  const values = (results as JsonObject[]).map(({ breakdown_value: value = null }) => value)
  const first = values[0]
  if (!Array.isArray(first)) return { breakdown: distinct(values) }
  const places = first.map((_, place) => values.map((value) => (value as Json[])[place] ?? null))
  return { breakdowns: places.map((own) => ({ values: distinct(own) })) }
}

const distinct = (values: readonly Json[]): Option[] =>
  [...new Set(values)].map((value) => ({ label: breakdownLabel(value), value }))
