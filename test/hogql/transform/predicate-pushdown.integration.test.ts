import { describe, expect, test } from "@jest/globals"
import { compile, type PropertyType } from "../../../src/hogql/index.js"
import { emptyScope } from "../support/scope.js"

const eventTypes = new Map<string, PropertyType>([
  ["$screen_width", "Numeric"],
  ["$feature_flag_response", "Boolean"],
  ["$app_version", "DateTime"],
])
const scope = { ...emptyScope, propertyDefinitions: { ...emptyScope.propertyDefinitions, event: eventTypes } }

/** What of `SELECT uuid FROM events WHERE <condition>` is asked beside the guard, and what is left for later. */
async function split(condition: string, inlinesSubqueries: boolean) {
  const text = `SELECT uuid FROM events WHERE ${condition}`
  const { sql, parameters } = await compile({ text }, { ...scope, inlinesSubqueries })
  const shown = sql.replace(/\{(p\d+):String\}/g, (_, name: string) => `'${String(parameters[name])}'`)
  const [, pushed = "", kept = ""] = /PREWHERE (.*?)(?:\) AS t0)?(?: WHERE (.*?))? LIMIT /.exec(shown) ?? []
  return { pushed, kept }
}

describe.each([
  ["in a subquery that reads the table", false],
  ["in the SELECT itself", true],
])("conditions on stored columns, %s", (_form, inlinesSubqueries) => {
  test.each([
    ["properties.$browser = 'Chrome'", "ifNull(equals(r.`property_$browser`, 'Chrome'), 0)"],
    ["'Chrome' = properties.$browser", "ifNull(equals('Chrome', r.`property_$browser`), 0)"],
    ["properties.$browser != 'Chrome'", "ifNull(notEquals(r.`property_$browser`, 'Chrome'), 1)"],
    ["properties.$browser IN ('Chrome', 'Opera')", "in(r.`property_$browser`, tuple('Chrome', 'Opera'))"],
    ["properties.$browser IS NULL", "isNull(r.`property_$browser`)"],
    [
      "properties.$browser = properties.utm_source",
      "ifNull(equals(r.`property_$browser`, r.`property_utm_source`), and(",
    ],
    ["properties.$current_url ILIKE '%/shop%'", "ilike(r.`property_$current_url`, '%/shop%')"],
    ["properties.$current_url NOT LIKE '/a\\\\_%'", "notLike(r.`property_$current_url`, '/a\\_%')"],
    ["properties.$current_url =~ '^/(shop|cart)/\\\\d+'", "match(r.`property_$current_url`, '^/(shop|cart)/\\d+')"],
    ["properties.$current_url =~* 'SHOP'", "match(r.`property_$current_url`, concat('(?i)', 'SHOP'))"],
    ["properties.$screen_width >= 1000", "greaterOrEquals(toFloat64OrNull(r.`property_$screen_width`), 1000)"],
    ["properties.$feature_flag_response = true", "multiIf(in(lower(r.`property_$feature_flag_response`), ('true'"],
    ["properties.$app_version > '2024-01-01'", "parseDateTime64BestEffortOrNull(r.`property_$app_version`, 6, 'UTC')"],
    ["lower(properties.$browser) = 'chrome'", "equals(lower(r.`property_$browser`), 'chrome')"],
    ["NOT (properties.$browser = 'a' OR event LIKE 'b%')", "not(or(ifNull(equals(r.`property_$browser`, 'a')"],
    ["properties.own = 'a'", "equals(JSONExtract(r.properties, 'own', 'Nullable(String)'), 'a')"],
    ["$session_id = 'a'", "equals(nullIf(r.`$session_id`, ''), 'a')"],
  ])("are asked beside the guard: %s", async (condition, expected) => {
    const { pushed, kept } = await split(condition, inlinesSubqueries)
    expect(pushed).toContain(expected)
    expect(kept).toBe("")
  })

  test.each([
    ["a function that can fail on a row", "intDiv(1, length(event)) = 1"],
    ["a function that is random", "rand() = length(event)"],
    ["a pattern that is in a column", "properties.$browser LIKE properties.utm_source"],
    ["a regular expression that is in a column", "match('x', properties.utm_source)"],
    ["a regular expression that cannot be read", "properties.$browser =~ '('"],
    ["a regular expression with counts, which are bounded", "properties.$browser =~ 'a{2000}'"],
    ["a regular expression that looks ahead", "properties.$browser =~ '(?=a)'"],
    ["a regular expression with a class that only some know", "properties.$browser =~ '[[:word:]]'"],
    ["a pattern that ends within an escape", "properties.$browser LIKE 'a\\\\'"],
    ["a pattern of more than 300 characters", `properties.$browser LIKE '${"a".repeat(301)}'`],
    ["constants alone", "1 = 2"],
    ["a column of a joined table", "person.properties.email IS NULL"],
    ["text in place of a condition", "properties.$browser"],
  ])("stay where they are with %s", async (_reason, condition) => {
    const { pushed, kept } = await split(condition, inlinesSubqueries)
    expect(pushed).toContain("equals(r.project_id, {project:Int64})")
    expect(pushed).not.toContain("browser")
    expect(kept).not.toBe("")
  })

  test("are asked in the order of what they cost: bare columns first, then ids, then properties", async () => {
    const where = "properties.$browser = 'a' AND person_id = '0190d000-0000-7000-8000-000000000001' AND event = 'b'"
    const { sql } = await compile({ text: `SELECT uuid FROM events WHERE ${where}` }, { ...scope, inlinesSubqueries })
    const asked = sql.slice(sql.indexOf("PREWHERE"))
    const places = ["project_id", "r.event", "r.person_id", "property_$browser"].map((name) => asked.indexOf(name))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
})

test("conditions on rows that are merged while they are read stay outside", async () => {
  const { sql } = await compile({ text: "SELECT 1 FROM sessions WHERE $entry_current_url LIKE '%a'" }, scope)
  expect(sql).toMatch(/FINAL PREWHERE equals\(r\.project_id, \{project:Int64\}\)\) AS t0 WHERE /)
})
