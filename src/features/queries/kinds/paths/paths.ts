import { nodes, type Query } from "../../../../hogql/index.js"
import { refuseBreakdown } from "../../insights/breakdown.js"
import { inRange } from "../../insights/buckets.js"
import { joinWithAnd, queryConditions } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { checkSampling, refuseComparison, refuseOptions } from "../../insights/refusals.js"
import { readActor } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import type { KindContext } from "../kind-context.js"
import { readRange } from "../read-dates.js"
import { readItem } from "./path-items.js"

const { compare, constant, tuple } = nodes

/** A pause as long as this ends a path and the next event begins another. */
const PAUSE_MICROS = 1_800_000_000

/** A `PathsQuery`, read. */
type Paths = Awaited<ReturnType<typeof readPaths>>

/** @throws AppError parse_error naming the field, HogqlError for filters that cannot be read. */
export async function readPaths(reader: QueryReader, context: KindContext) {
  refuseBreakdown(reader)
  refuseComparison(reader)
  refuseOptions(reader, { funnelPathsFilter: null })
  checkSampling(reader)
  const filter = reader.object("pathsFilter")
  const excluded = filter.strings("excludeEvents", { max: 100 }) ?? []
  const item = readItem(filter)
  return {
    stepLimit: filter.integer("stepLimit", { min: 2, max: 20 }) ?? 5,
    start: filter.text("startPoint") || null,
    end: filter.text("endPoint") || null,
    item,
    actor: readActor(reader).actor,
    where: joinWithAnd([
      inRange(await readRange(reader, null, context)),
      ...queryConditions(reader, await context.hogqlScope()),
      compare("!=", item, constant("")),
      excluded.length === 0 ? null : compare("not in", item, tuple(excluded.map((name) => constant(name)))),
    ]),
  }
}

/** Rows `(actor, path)`: a list `[(microseconds, item)]` per session, cut to the steps that are asked for. */
export function selectPaths({ stepLimit, start, end, item, actor, where }: Paths): Query {
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
    `SELECT actor, arrayFilter((r, before) -> r.2 != before, raw, arrayPushFront(arrayPopBack(arrayMap(r -> r.2, raw)), '')) AS session
     FROM (SELECT actor, arrayJoin(arraySplit((r, gap) -> gap > ${PAUSE_MICROS}, rows, arrayDifference(arrayMap(r -> r.1, rows)))) AS raw
       FROM (SELECT {actor} AS actor, arraySort(groupArray(tuple(toUnixTimestamp64Micro(timestamp), {item}))) AS rows
         FROM events WHERE {where} AND {actor} IS NOT NULL GROUP BY actor))`,
  )
  const limited = end === null ? `arraySlice(session, 1, ${stepLimit})` : `arraySlice(session, 0 - ${stepLimit})`
  return template(`SELECT actor, ${limited} AS path FROM (${sessions})`, {
    item,
    actor,
    where,
    start: constant(start),
    end: constant(end),
  })
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
