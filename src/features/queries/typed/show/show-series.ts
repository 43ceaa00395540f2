import type { Json, JsonObject } from "../../../../kernel/json.js"
import { SeriesMathEnum } from "../inputs/enums.graphql.js"
import { LifecycleStatusEnum } from "../inputs/funnel-enums.graphql.js"
import {
  type CalendarHeatmapResultType,
  ComparedPeriodEnum,
  type LifecycleSeriesType,
  type QuerySeriesType,
  type SeriesPointType,
  type StickinessSeriesType,
  type TrendsSeriesType,
} from "../results/series.graphql.js"
import {
  readChoice,
  readCount,
  readLabel,
  readList,
  readNumber,
  readObject,
  readObjects,
  readText,
} from "./read-json.js"
import { showBreakdown } from "./show-breakdown.js"

/** `{results: [{data, days, labels, …}]}` of a TrendsQuery. */
export const showTrends = ({ results }: JsonObject): { series: TrendsSeriesType[] } => ({
  series: readObjects(results).map((line) => ({
    label: readLabel(line.label),
    series: showSeries(line.action),
    period: readChoice(line.compare_label, ComparedPeriodEnum),
    ...showBreakdown(line.breakdown_value),
    points: showPoints(line),
    total: readNumber(line.aggregated_value ?? line.count),
  })),
})

/** Likewise of a StickinessQuery, whose days are numbers of intervals. */
export const showStickiness = ({ results }: JsonObject): { series: StickinessSeriesType[] } => ({
  series: readObjects(results).map((line) => ({
    label: readLabel(line.label),
    series: showSeries(line.action),
    period: readChoice(line.compare_label, ComparedPeriodEnum),
    points: readList(line.data).map((value, index) => ({
      intervals: readCount(readList(line.days)[index]),
      label: readLabel(readList(line.labels)[index]),
      actors: readCount(value),
    })),
    total: readCount(line.count),
  })),
})

/** Likewise of a LifecycleQuery, a line for each status. */
export const showLifecycle = ({ results }: JsonObject): { series: LifecycleSeriesType[] } => ({
  series: readObjects(results).map((line) => ({
    status: readChoice(line.status, LifecycleStatusEnum) ?? LifecycleStatusEnum.NEW,
    label: readLabel(line.label),
    points: showPoints(line),
    total: readNumber(line.count),
  })),
})

/** `{data, rowAggregations, columnAggregations, allAggregations}`, whose rows are days and whose columns are hours. */
export function showCalendarHeatmap({
  results,
}: JsonObject): Pick<CalendarHeatmapResultType, "cells" | "days" | "hours" | "total"> {
  const { data, rowAggregations, columnAggregations, allAggregations } = readObject(results)
  const toCell = ({ row, column, value }: JsonObject) => ({
    day: readCount(row),
    hour: readCount(column),
    value: readCount(value),
  })
  return {
    cells: readObjects(data).map(toCell),
    days: readObjects(rowAggregations).map(toCell),
    hours: readObjects(columnAggregations).map(toCell),
    total: readCount(allAggregations),
  }
}

/** The numbers of a line with the days that they are of. */
export function showPoints({ data, days, labels }: JsonObject): SeriesPointType[] {
  const [named, shown] = [readList(days), readList(labels)]
  return readList(data).map((value, index) => ({
    day: readLabel(named[index]),
    label: readLabel(shown[index]),
    value: readNumber(value),
  }))
}

function showSeries(action: Json | undefined): QuerySeriesType | null {
  const { order, type, id, name, custom_name, math } = readObject(action)
  if (order === undefined) return null
  return {
    order: readCount(order),
    event: type === "events" ? readText(id) : null,
    action: type === "actions" ? readNumber(id) : null,
    name: readLabel(name),
    customName: readText(custom_name),
    math: readChoice(math, SeriesMathEnum),
  }
}
