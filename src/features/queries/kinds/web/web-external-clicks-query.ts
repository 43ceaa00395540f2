import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, joinWithOr } from "../../insights/property-conditions.js"
import { refuseOptions } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { type RowPage, readPage } from "../read-page.js"
import { readWebOrder, toOrderText, type WebOrder } from "./read-web-order.js"
import { readWebQuery, type WebQuery } from "./read-web-query.js"

const { call, constant, field } = nodes

/** What rows can be ordered by, as columns of the SELECT. */
const ORDERS: ReadonlyMap<string, number> = new Map([
  ["Visitors", 2],
  ["Clicks", 3],
])
const clickedUrl = field(["properties", "$external_click_url"])

/** Kind `WebExternalClicksTableQuery`: links to other sites that were clicked (`docs/contract/queries.md#web-kinds`). */
export const webExternalClicksQuery: KindDefinition = {
  kind: "WebExternalClicksTableQuery",
  async answer(reader, context) {
    refuseOptions(reader, { conversionGoal: null })
    const url = reader.flag("stripQueryParams") ? call("cutQueryStringAndFragment", [clickedUrl]) : clickedUrl
    const query = await readWebQuery(reader, context)
    const page = readPage(reader, { defaultLimit: 100, maxLimit: 1000 })
    const found = await context.select(selectClicks(url, query, page, readWebOrder(reader, ORDERS)))
    const isCompared = query.previous !== null
    const results = found.rows.map(([value = null, visitors = 0, clicks = 0, visitorsBefore = 0, clicksBefore = 0]) => [
      value,
      [visitors, isCompared ? visitorsBefore : null],
      [clicks, isCompared ? clicksBefore : null],
    ])
    const columns = ["url", "visitors", "clicks"].map((name) => `context.columns.${name}`)
    return toAnswer(results, [found], { columns, hasMore: found.hasMore, ...page })
  },
}

/** Rows `(url, visitors and clicks now, the same before)`, those with the most clicks first unless it is said. */
const selectClicks = (
  url: Expression,
  { range, previous, filters }: WebQuery,
  page: RowPage,
  order: WebOrder | null,
): Query =>
  template(
    `SELECT {url} AS url, uniqExactIf(person_id, {isNow}), countIf({isNow}), uniqExactIf(person_id, NOT {isNow}),
       countIf(NOT {isNow})
     FROM events
     WHERE event = '$autocapture' AND properties.$event_type = 'click' AND ifNull({url}, '') != ''
       AND cutToFirstSignificantSubdomain({clicked}) != cutToFirstSignificantSubdomain(ifNull(properties.$host, '')) AND {where}
     GROUP BY url ORDER BY ${toOrderText(order)}3 DESC, 5 DESC, url LIMIT {limit} OFFSET {offset}`,
    {
      url,
      clicked: clickedUrl,
      isNow: inRange(range),
      limit: constant(page.limit),
      offset: constant(page.offset),
      where: joinWithAnd([joinWithOr([inRange(range), previous && inRange(previous)]), ...filters]),
    },
  )
