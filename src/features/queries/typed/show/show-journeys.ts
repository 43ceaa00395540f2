import type { Json, JsonObject } from "../../../../kernel/json.js"
import { FunnelViewEnum } from "../inputs/funnel-enums.graphql.js"
import type {
  FunnelGroupType,
  FunnelResultType,
  FunnelStepType,
  FunnelTimeToConvertType,
  FunnelTrendLineType,
  PathLinkType,
  PathPointType,
  RetentionRowType,
} from "../results/journeys.graphql.js"
import { ComparedPeriodEnum } from "../results/series.graphql.js"
import {
  readChoice,
  readCount,
  readLabel,
  readList,
  readNumber,
  readObject,
  readObjects,
  readText,
  toPercent,
} from "./read-json.js"
import { showBreakdown } from "./show-breakdown.js"
import { showPoints } from "./show-series.js"

/** The answer of a FunnelsQuery, whose `query` says which form its results have. */
export function showFunnel({
  query,
  results,
}: JsonObject): Pick<FunnelResultType, "view" | "groups" | "timeToConvert" | "trend"> {
  const filter = readObject(readObject(query).funnelsFilter)
  const view = readChoice(filter.funnelVizType, FunnelViewEnum) ?? FunnelViewEnum.STEPS
  return {
    view,
    groups: view === FunnelViewEnum.STEPS ? showGroups(readList(results)) : [],
    timeToConvert: view === FunnelViewEnum.TIME_TO_CONVERT ? showTimes(readObject(results)) : null,
    trend: view === FunnelViewEnum.TREND ? readObjects(results).map(showTrendLine) : [],
  }
}

/** A list of steps, or with a breakdown a list of such lists. */
function showGroups(results: readonly Json[]): FunnelGroupType[] {
  const groups = Array.isArray(results[0]) ? results.map((steps) => readObjects(steps)) : [readObjects([...results])]
  return groups.map((steps) => ({
    ...showBreakdown(steps[0]?.breakdown_value),
    period: readChoice(steps[0]?.compare_label, ComparedPeriodEnum),
    steps: steps.map((step, index) => showStep(step, readCount(steps[0]?.count), readCount(steps[index - 1]?.count))),
  }))
}

function showStep(step: JsonObject, first: number, previous: number): FunnelStepType {
  const count = readCount(step.count)
  const order = readCount(step.order)
  return {
    order,
    name: readLabel(step.name),
    customName: readText(step.custom_name),
    event: step.type === "events" ? readText(step.action_id) : null,
    action: step.type === "actions" ? readNumber(step.action_id) : null,
    count,
    percentOfFirst: toPercent(count, first),
    percentOfPrevious: toPercent(count, order === 0 ? count : previous),
    averageSeconds: readNumber(step.average_conversion_time),
    medianSeconds: readNumber(step.median_conversion_time),
  }
}

const showTimes = ({ bins, average_conversion_time }: JsonObject): FunnelTimeToConvertType => ({
  bins: readList(bins).map((bin) => {
    const [from, count] = readList(bin)
    return { fromSeconds: readCount(from), count: readCount(count) }
  }),
  averageSeconds: readNumber(average_conversion_time),
})

const showTrendLine = (line: JsonObject): FunnelTrendLineType => ({
  ...showBreakdown(line.breakdown_value),
  period: readChoice(line.compare_label, ComparedPeriodEnum),
  points: showPoints(line),
  entered: readCount(line.count),
})

/** The triangle of a RetentionQuery. */
export const showRetention = ({ results }: JsonObject): { matrix: RetentionRowType[] } => ({
  matrix: readObjects(results).map(({ label, date, breakdown_value, values }) => {
    const cells = readObjects(values)
    const came = readCount(cells[0]?.count)
    return {
      ...showBreakdown(breakdown_value),
      label: readLabel(label),
      date: readLabel(date),
      values: cells.map((cell) => {
        const count = readCount(cell.count)
        const aggregate = readNumber(cell.aggregation_value)
        return { label: readLabel(cell.label), count, percent: toPercent(count, came), aggregate }
      }),
    }
  }),
})

/** The links of a PathsQuery, whose times are in milliseconds. */
export const showPaths = ({ results }: JsonObject): { links: PathLinkType[] } => ({
  links: readObjects(results).map(({ source, target, value, average_conversion_time }) => {
    const milliseconds = readNumber(average_conversion_time)
    return {
      source: showPoint(readLabel(source)),
      target: showPoint(readLabel(target)),
      count: readCount(value),
      averageSeconds: milliseconds === null ? null : milliseconds / 1000,
    }
  }),
})

/** `1_/pricing` is the item `/pricing` as step 1. */
function showPoint(key: string): PathPointType {
  const end = key.indexOf("_")
  return { key, step: Number(key.slice(0, end)), item: key.slice(end + 1) }
}
