import { isJsonObject, type Json, type JsonObject } from "../../../../kernel/json.js"
import { QueryReader } from "../../insights/query-reader.js"
import { refuseOptions } from "../../insights/refusals.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readTrends } from "../trends/read-trends.js"
import { calculateTrends } from "../trends/trends-query.js"

/** Kind `WebVitalsQuery`: the trend in its `source`, of a site (`docs/contract/queries.md#web-kinds`). */
export const webVitalsQuery: KindDefinition = {
  kind: "WebVitalsQuery",
  async answer(reader, context) {
    refuseOptions(reader, { conversionGoal: null, includeRevenue: false })
    // A site's option cleans no values of a trend, which has one of its own.
    reader.flag("doPathCleaning")
    const { json } = reader.object("source")
    const trends = json.kind === "InsightVizNode" && isJsonObject(json.source) ? json.source : json
    if (trends.kind !== "TrendsQuery") throw reader.object("source").fault("kind", "must be TrendsQuery")
    const source = new QueryReader(ofSite(trends, reader), "WebVitalsQuery.source")
    const { results, answers } = await calculateTrends(await readTrends(source, context), context)
    return toAnswer(results, answers)
  },
}

/** The trend with what the query about the site says: its filters besides, its dates where the trend has none. */
function ofSite(trends: JsonObject, site: QueryReader): JsonObject {
  const filters = [trends.properties, site.value("properties")].filter((filter): filter is Json => filter != null)
  return {
    ...trends,
    properties: filters.length === 0 ? null : { type: "AND", values: filters.flatMap((filter) => [filter].flat()) },
    dateRange: trends.dateRange ?? site.value("dateRange"),
    compareFilter: trends.compareFilter ?? site.value("compareFilter"),
    filterTestAccounts: trends.filterTestAccounts === true || site.flag("filterTestAccounts"),
    samplingFactor: trends.samplingFactor ?? site.value("samplingFactor"),
  }
}
