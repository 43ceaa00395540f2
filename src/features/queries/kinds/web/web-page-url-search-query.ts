import { nodes } from "../../../../hogql/index.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, toContainsPattern } from "../../insights/property-conditions.js"
import { refuseOptions } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readPage } from "../read-page.js"
import { readWebQuery } from "./read-web-query.js"

const { call, compare, constant, field } = nodes

const currentUrl = field(["properties", "$current_url"])

/** Kind `WebPageURLSearchQuery`: addresses of pages that contain a text (`docs/contract/queries.md#web-kinds`). */
export const webPageUrlSearchQuery: KindDefinition = {
  kind: "WebPageURLSearchQuery",
  async answer(reader, context) {
    const term = reader.text("searchTerm")?.trim() ?? ""
    const url = reader.flag("stripQueryParams") ? call("cutQueryStringAndFragment", [currentUrl]) : currentUrl
    refuseOptions(reader, { conversionGoal: null })
    const { range, conditions } = await readWebQuery(reader, context)
    const page = readPage(reader, { defaultLimit: 100, maxLimit: 1000 })
    const contains = term === "" ? null : compare("ilike", currentUrl, constant(toContainsPattern(term)))
    const found = await context.select(
      template(
        `SELECT {url} AS url, count() AS views FROM events WHERE ifNull({url}, '') != '' AND {where}
         GROUP BY url ORDER BY views DESC, url LIMIT {limit} OFFSET {offset}`,
        {
          url,
          limit: constant(page.limit),
          offset: constant(page.offset),
          where: joinWithAnd([inRange(range), contains, ...conditions]),
        },
      ),
    )
    const results = found.rows.map(([value = null, count = 0]) => ({ url: value, count }))
    return toAnswer(results, [found], { hasMore: found.hasMore, ...page })
  },
}
