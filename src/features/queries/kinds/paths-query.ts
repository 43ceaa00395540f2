import { type Expression, type HogqlScope, nodes, parseExpression, type Query } from "../../../hogql/index.js"
import { refuseBreakdown } from "../insights/breakdown.js"
import type { DateRange } from "../insights/date-range.js"
import { allOf, queryConditions } from "../insights/property-conditions.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import { template } from "../insights/template.js"
import type { QueryKind } from "../queries.types.js"
import { answerOf } from "./answer.js"
import type { HogqlRunner } from "./hogql-runner.js"
import { readRange } from "./read-range.js"
import { inRange } from "./trends/trend-select.js"

const { call, compare, constant, field, tuple } = nodes

const EVENT_TYPES = ["$pageview", "$screen", "custom_event", "hogql"]
/** A pause as long as this ends a path and the next event begins another. */
const PAUSE_MICROS = 1_800_000_000

/** Kind `PathsQuery`: from which step to which actors go (`reference/management.md` 7.8). */
export function createPathsQueryKind(runner: HogqlRunner): QueryKind {
  return {
    kind: "PathsQuery",
    async run(query, run) {
      const reader = new QueryReader(query, "PathsQuery")
      refuseBreakdown(reader)
      const scope = await runner.scopeOf(run)
      const range = await readRange(reader, null, runner, run)
      const ast = await orQueryFault(() => pathsSelect(reader, scope, range))
      const answer = await runner.runNodes(ast, run)
      const results = answer.rows.map(([source = null, target = null, value = 0, averageMs = null]) => ({
        ...{ source, target, value, average_conversion_time: averageMs },
      }))
      return answerOf(results, [answer])
    },
  }
}

async function pathsSelect(reader: QueryReader, scope: HogqlScope, range: DateRange): Promise<Query> {
  const filter = reader.object("pathsFilter")
  const steps = filter.integer("stepLimit", { min: 2, max: 20 }) ?? 5
  const [start, end] = [filter.text("startPoint") || null, filter.text("endPoint") || null]
  const [least, most] = [filter.integer("minEdgeWeight", { min: 0 }), filter.integer("maxEdgeWeight", { min: 0 })]
  const excluded = filter.texts("excludeEvents", { max: 100 }) ?? []
  const cut = [
    ...(start === null
      ? []
      : ["if(has(items, {start}), arraySlice(session, indexOf(items, {start})), arraySlice(session, 1, 0))"]),
    ...(end === null
      ? []
      : ["if(has(items, {end}), arraySlice(session, 1, indexOf(items, {end})), arraySlice(session, 1, 0))"]),
  ]
  // The items change with the first cut, so each has a SELECT of its own.
  const sessions = cut.reduce(
    (inner, expression) =>
      `SELECT ${expression} AS session FROM (SELECT session, arrayMap(r -> r.2, session) AS items FROM (${inner}))`,
    `SELECT arrayFilter((r, before) -> r.2 != before, raw, arrayPushFront(arrayPopBack(arrayMap(r -> r.2, raw)), '')) AS session
     FROM (SELECT arrayJoin(arraySplit((r, gap) -> gap > ${PAUSE_MICROS}, rows, arrayDifference(arrayMap(r -> r.1, rows)))) AS raw
       FROM (SELECT person_id, arraySort(groupArray(tuple(toUnixTimestamp64Micro(timestamp), {item}))) AS rows
         FROM events WHERE {where} GROUP BY person_id))`,
  )
  const limited = end === null ? `arraySlice(session, 1, ${steps})` : `arraySlice(session, 0 - ${steps})`
  return template(
    `SELECT source, target, count() AS value, avg(micros) / 1000 AS average
     FROM (
       SELECT concat(toString(edge.1), '_', edge.2) AS source, concat(toString(edge.1 + 1), '_', edge.3) AS target, edge.4 AS micros
       FROM (
         SELECT arrayJoin(arrayMap((a, b, i) -> tuple(i, a.2, b.2, b.1 - a.1), arrayPopBack(path), arrayPopFront(path),
           arrayEnumerate(arrayPopBack(path)))) AS edge
         FROM (SELECT ${limited} AS path FROM (${sessions}))
       )
     )
     GROUP BY source, target HAVING value >= {least} AND value <= {most}
     ORDER BY value DESC, source, target LIMIT {edges}`,
    {
      item: await itemOf(filter),
      where: allOf([
        inRange(range),
        ...(await queryConditions(reader, scope)),
        compare("!=", await itemOf(filter), constant("")),
        excluded.length === 0
          ? null
          : compare("not in", await itemOf(filter), tuple(excluded.map((name) => constant(name)))),
      ]),
      start: constant(start),
      end: constant(end),
      least: constant(least ?? 0),
      most: constant(most ?? Number.MAX_SAFE_INTEGER),
      edges: constant(filter.integer("edgeLimit", { min: 1, max: 1000 }) ?? 50),
    },
  )
}

/** The step an event is: its page, its screen, its name, or an expression; "" for events that are none. */
async function itemOf(filter: QueryReader): Promise<Expression> {
  const types = filter.texts("includeEventTypes") ?? []
  const unknown = types.find((type) => !EVENT_TYPES.includes(type))
  if (unknown !== undefined) throw filter.fault("includeEventTypes", `must hold only: ${EVENT_TYPES.join(", ")}`)
  return grouped(cleaned(await plainItemOf(filter, types), filter), filter)
}

/** `localPathCleaningFilters`: parts of a step that fit an expression are written as its alias. */
const cleaned = (item: Expression, filter: QueryReader): Expression =>
  filter
    .objects("localPathCleaningFilters", { max: MAX_GROUPINGS })
    .reduce(
      (text, rule) =>
        call("replaceRegexpAll", [text, constant(rule.requiredText("regex")), constant(rule.text("alias") ?? "")]),
      item,
    )

const MAX_GROUPINGS = 50

/** `pathGroupings`: every step that fits a pattern, `*` for anything, becomes one under the pattern's name. */
function grouped(item: Expression, filter: QueryReader): Expression {
  const patterns = filter.texts("pathGroupings", { max: MAX_GROUPINGS }) ?? []
  if (patterns.length === 0) return item
  const branches = patterns.flatMap((pattern) => [
    compare("like", item, constant(pattern.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%"))),
    constant(pattern),
  ])
  return call("multiIf", [...branches, item])
}

async function plainItemOf(filter: QueryReader, types: readonly string[]): Promise<Expression> {
  const wants = (type: string) => types.length === 0 || types.includes(type)
  const written = filter.text("pathsHogQLExpression")
  if (types.includes("hogql") && written !== null)
    return call("ifNull", [call("toString", [await parseExpression(written)]), constant("")])
  const isEvent = (name: string) => compare("==", field(["event"]), constant(name))
  const text = (name: string) => call("ifNull", [call("toString", [field(["properties", name])]), constant("")])
  const page = call("if", [
    compare(">", call("length", [text("$current_url")]), constant(1)),
    call("replaceRegexpOne", [text("$current_url"), constant("(.)/$"), constant("\\1")]),
    text("$current_url"),
  ])
  const isOwn = call("not", [call("startsWith", [field(["event"]), constant("$")])])
  return call("multiIf", [
    ...[isEvent("$pageview"), wants("$pageview") ? page : constant("")],
    ...[isEvent("$screen"), wants("$screen") ? text("$screen_name") : constant("")],
    ...(types.length === 0
      ? [field(["event"])]
      : [isOwn, wants("custom_event") ? field(["event"]) : constant(""), constant("")]),
  ])
}
