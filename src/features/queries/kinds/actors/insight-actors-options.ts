import type { Json, JsonObject } from "../../../../kernel/json.js"
import { toBreakdownLabel } from "../../insights/breakdown.js"
import { type Bucket, listBuckets } from "../../insights/buckets.js"
import type { QueryReader } from "../../insights/query-reader.js"
import type { Series } from "../../insights/series.js"
import type { KindContext } from "../kind-context.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readLifecycle, STATUSES } from "../lifecycle-query.js"
import { readRetention } from "../retention/read-retention.js"
import { readStickiness, toIntervalLabel } from "../stickiness-query.js"
import { readTrends } from "../trends/read-trends.js"
import { calculateTrends } from "../trends/trends-query.js"
import { readActorKind, readInsight } from "./insight-actors.js"

type Option = { readonly label: string; readonly value: Json }
type Options = Readonly<Record<string, Option[] | JsonObject[]>>

/** All options, for insights without any of them. */
const NOTHING = { day: null, status: null, interval: null, breakdown: null, series: null, compare: null }

/**
 * Kind `InsightActorsQueryOptions`: the values that an `InsightActorsQuery` may give to select a point of its insight; null for
 * fields that the insight does not have.
 */
export const insightActorsOptions: KindDefinition = {
  kind: "InsightActorsQueryOptions",
  async answer(reader, context) {
    const asked = reader.object("source")
    const { insight, source } = readInsight(asked, readActorKind(asked))
    return { ...NOTHING, ...(await OPTIONS[insight]?.(source, asked, context)) }
  },
}

type ListOptions = (source: QueryReader, asked: QueryReader, context: KindContext) => Promise<Options>

const OPTIONS: Readonly<Record<string, ListOptions>> = {
  async TrendsQuery(source, asked, context) {
    const trends = await readTrends(source, context)
    const { series, periods, interval, isTotal, breakdown } = trends
    const period = periods.find(({ compare }) => compare === asked.value("compare")) ?? periods[0]
    const isCompared = periods.length > 1
    return {
      series: toSeriesOptions(series),
      ...(!isTotal && period && { day: toDayOptions(listBuckets(period.range, interval, context.run)) }),
      ...(isCompared && { compare: COMPARE }),
      ...(breakdown !== null && toBreakdownOptions((await calculateTrends(trends, context)).results)),
    }
  },
  async StickinessQuery(source, _asked, context) {
    const { series, range, previous, interval } = await readStickiness(source, context)
    const counts = listBuckets(range, interval, context.run).map((_, index) => index + 1)
    return {
      series: toSeriesOptions(series),
      day: counts.map((count) => ({ label: toIntervalLabel(count, interval), value: count })),
      ...(previous !== null && { compare: COMPARE }),
    }
  },
  async LifecycleQuery(source, _asked, context) {
    const { shown } = await readLifecycle(source, context)
    const status = STATUSES.map((value) => ({ label: value.charAt(0).toUpperCase() + value.slice(1), value }))
    return { day: toDayOptions(shown), status }
  },
  async RetentionQuery(source, _asked, context) {
    const { buckets, period } = await readRetention(source, context)
    return { interval: buckets.map((_, value) => ({ label: `${period} ${value}`, value })) }
  },
}

const COMPARE: Option[] = [
  { label: "Current", value: "current" },
  { label: "Previous", value: "previous" },
]

const toDayOptions = (buckets: readonly Bucket[]): Option[] => buckets.map(({ label, day }) => ({ label, value: day }))

const toSeriesOptions = (series: readonly Series[]): Option[] =>
  series.map(({ customName, name, order }) => ({ label: customName ?? name, value: order }))

/** The values that the insight shows; of several breakdowns, those of each. */
function toBreakdownOptions(lines: readonly JsonObject[]): Options {
  const values = lines.map(({ breakdown_value: value = null }) => value)
  const [first] = values
  if (!Array.isArray(first)) return { breakdown: toOptions(values) }
  const places = first.map((_, place) =>
    values.flatMap((value) => (Array.isArray(value) ? [value[place] ?? null] : [])),
  )
  return { breakdowns: places.map((own) => ({ values: toOptions(own) })) }
}

const toOptions = (values: readonly Json[]): Option[] =>
  [...new Set(values)].map((value) => ({ label: toBreakdownLabel(value), value }))
