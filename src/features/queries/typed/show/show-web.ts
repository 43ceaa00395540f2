import type { Json, JsonObject } from "../../../../kernel/json.js"
import {
  type WebExternalClicksResultType,
  type WebGoalsResultType,
  type WebNumberType,
  type WebOverviewItemType,
  WebOverviewNumberEnum,
  type WebPageUrlSearchResultType,
  type WebStatsResultType,
  WebUnitEnum,
  type WebVitalsPathsResultType,
} from "../results/web.graphql.js"
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

/** The answer of a WebOverviewQuery, `{results: [{key, kind, value, previous, …}]}`. */
export const showWebOverview = ({ results }: JsonObject): { items: WebOverviewItemType[] } => ({
  items: readObjects(results).map(({ key, kind, value, previous, changeFromPreviousPct, isIncreaseBad }) => ({
    key: readChoice(key, WebOverviewNumberEnum),
    unit: readChoice(kind, WebUnitEnum),
    current: readNumber(value),
    previous: readNumber(previous),
    changePercent: readNumber(changeFromPreviousPct),
    isIncreaseBad: isIncreaseBad === true,
  })),
})

/** Rows `[value, [visitors, before], …]`, in the order that `columns` names. */
export function showWebStats(answer: JsonObject): Pick<WebStatsResultType, "rows" | "hasMore"> {
  const names = readList(answer.columns)
  const rows = readList(answer.results).map((row) => {
    const cells = readList(row)
    const show = (name: string): WebNumberType | null => {
      const index = names.indexOf(`context.columns.${name}`)
      return index < 0 ? null : showNumber(cells[index])
    }
    return {
      value: readText(cells[0]),
      visitors: show("visitors"),
      views: show("views"),
      bounceRate: show("bounce_rate"),
      conversions: show("total_conversions"),
      convertingVisitors: show("unique_conversions"),
      conversionRate: show("conversion_rate"),
    }
  })
  return { rows, hasMore: answer.hasMore === true }
}

/** Rows `[name, [users, before], [conversions, before], [rate, before]]`. */
export const showWebGoals = ({ results, hasMore }: JsonObject): Pick<WebGoalsResultType, "goals" | "hasMore"> => ({
  goals: readList(results).map((row) => {
    const [name, users, conversions, rate] = readList(row)
    return {
      name: readLabel(name),
      convertingUsers: showNumber(users),
      conversions: showNumber(conversions),
      conversionRate: showNumber(rate),
    }
  }),
  hasMore: hasMore === true,
})

/** Rows `[url, [visitors, before], [clicks, before]]`. */
export const showWebExternalClicks = ({
  results,
  hasMore,
}: JsonObject): Pick<WebExternalClicksResultType, "rows" | "hasMore"> => ({
  rows: readList(results).map((row) => {
    const [url, visitors, clicks] = readList(row)
    return { url: readLabel(url), visitors: showNumber(visitors), clicks: showNumber(clicks) }
  }),
  hasMore: hasMore === true,
})

/** The answer of a WebPageURLSearchQuery, `{results: [{url, count}], hasMore}`. */
export const showWebPageUrls = ({
  results,
  hasMore,
}: JsonObject): Pick<WebPageUrlSearchResultType, "rows" | "hasMore"> => ({
  rows: readObjects(results).map(({ url, count }) => ({ url: readLabel(url), views: readCount(count) })),
  hasMore: hasMore === true,
})

/** One object with a list for each band. */
export function showWebVitalsPaths({ results }: JsonObject): Pick<WebVitalsPathsResultType, "good" | "fair" | "poor"> {
  const bands = readObject(readList(results)[0])
  const show = (band: Json | undefined) =>
    readObjects(band).map(({ path, value }) => ({ path: readLabel(path), value: readCount(value) }))
  return { good: show(bands.good), fair: show(bands.needs_improvements), poor: show(bands.poor) }
}

/** A pair of now and before. */
function showNumber(pair: Json | undefined): WebNumberType {
  const [current, previous] = readList(pair)
  return { current: readNumber(current), previous: readNumber(previous) }
}
