import { nodes, type Query } from "../../../../hogql/index.js"
import { refuseBreakdown } from "../../insights/breakdown.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseComparison } from "../../insights/refusals.js"
import { readActor } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { readRange } from "../read-dates.js"
import { readFunnelPart } from "./funnel-times.js"
import { readExclusions, readItem } from "./path-items.js"

const { compare, constant } = nodes

/** A pause as long as this ends a path and the next event begins another. */
const PAUSE_MICROS = 1_800_000_000

/** A `PathsQuery`, read. */
type Paths = Awaited<ReturnType<typeof readPaths>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readPaths(reader: QueryReader, context: KindContext) {
  refuseBreakdown(reader)
  refuseComparison(reader)
  checkSampling(reader)
  const filter = reader.object("pathsFilter")
  const item = readItem(filter, context.run.pathCleaning ?? [])
  return {
    stepLimit: filter.integer("stepLimit", { min: 2, max: 20 }) ?? 5,
    start: readPoint(filter, "startPoint"),
    end: readPoint(filter, "endPoint"),
    item,
    actor: readActor(reader).actor,
    /** The part of each actor's events that counts, by a funnel; null for all. */
    part: await readFunnelPart(reader, context),
    where: joinWithAnd([
      inRange(await readRange(reader, null, context)),
      ...queryConditions(reader, await context.hogqlScope()),
      compare("!=", item, constant("")),
      readExclusions(item, filter),
    ]),
  }
}

/** A step at which paths begin or end, without the slash that pages are shown without; null without one. */
function readPoint(filter: QueryReader, name: string): string | null {
  const point = filter.text(name) || null
  return point !== null && point.length > 1 ? point.replace(/\/$/, "") : point
}

/**
 * Rows `(actor, path)`: a list `[(microseconds, item)]` per session, cut to the steps that are asked for. Of a step that is
 * repeated the last time counts. Between two points a path that is too long has its middle left out.
 */
export function selectPaths({ stepLimit, start, end, item, actor, where, part }: Paths): Query {
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
      `SELECT actor, ${expression} AS session FROM (SELECT actor, session, arrayMap(r -> r.2, session) AS items FROM (${inner}))`,
    `SELECT actor, arrayFilter((r, next) -> r.2 != next, raw, arrayPushBack(arrayPopFront(arrayMap(r -> r.2, raw)), '')) AS session
     FROM (SELECT actor, ${part?.isWhole ? "rows" : SESSIONS} AS raw FROM (${part === null ? ROWS : ROWS_OF_FUNNEL}))`,
  )
  return template(`SELECT actor, ${toLimited(start, end, stepLimit)} AS path FROM (${sessions})`, {
    item,
    actor,
    where,
    ...(part !== null && { times: part.times }),
    start: constant(start),
    end: constant(end),
  })
}

const GAPS = "arrayDifference(arrayMap(r -> r.1, rows))"
const SESSIONS = `arrayJoin(arraySplit((r, gap) -> gap > ${PAUSE_MICROS}, rows, ${GAPS}))`
const ROWS = `SELECT {actor} AS actor, arraySort(groupArray(tuple(toUnixTimestamp64Micro(timestamp), {item}))) AS rows
  FROM events WHERE {where} AND {actor} IS NOT NULL GROUP BY actor`
const ROWS_OF_FUNNEL = `SELECT found.actor AS actor,
    arrayFilter(r -> r.1 >= funnel.from_time AND r.1 <= funnel.to_time, found.rows) AS rows
  FROM (${ROWS}) AS found INNER JOIN {times} AS funnel ON found.actor = funnel.actor`

/** The part of a session that is shown: its beginning, its end, or both around "...". */
function toLimited(start: string | null, end: string | null, steps: number): string {
  if (end === null) return `arraySlice(session, 1, ${steps})`
  if (start === null) return `arraySlice(session, 0 - ${steps})`
  const half = Math.floor(steps / 2)
  const middle = `[tuple(session[${half + 1}].1, '...')]`
  return `if(length(session) > ${steps},
    arrayConcat(arraySlice(session, 1, ${half}), ${middle}, arraySlice(session, 0 - ${half})), session)`
}

/** Rows `(actor, source, target, micros)`: each step from an item to the next, both written `<place>_<item>`. */
export const selectEdges = (paths: Paths): Query =>
  template(
    `SELECT actor, concat(toString(edge.1), '_', edge.2) AS source, concat(toString(edge.1 + 1), '_', edge.3) AS target,
       edge.4 AS micros
     FROM (
       SELECT actor, arrayJoin(arrayMap((a, b, i) -> tuple(i, a.2, b.2, b.1 - a.1), arrayPopBack(path), arrayPopFront(path),
         arrayEnumerate(arrayPopBack(path)))) AS edge
       FROM {paths}
     )`,
    { paths: selectPaths(paths) },
  )
