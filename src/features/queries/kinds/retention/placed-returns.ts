import { nodes, type Query } from "../../../../hogql/index.js"
import { otherValue } from "../../insights/breakdown.js"
import { instant, toBucketKey } from "../../insights/buckets.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { listColumns } from "./columns.js"
import type { Retention } from "./read-retention.js"
import { hasOneList, selectReturns } from "./returns-select.js"

const { call, constant, field } = nodes

const MICROS = { hour: 3_600_000_000, day: 86_400_000_000, week: 604_800_000_000 } as const

/**
 * Whether the column of each single return has to be calculated: for windows of 24 hours and the like, for brackets, and for a
 * breakdown. All other retentions only need intervals of the calendar, which `returns-select.ts` counts at less cost.
 */
export const needsPlaces = ({ isRolling, brackets, breakdown }: Retention): boolean =>
  isRolling || brackets !== null || breakdown !== null

/**
 * Rows `(actor, start, value, places)`: an interval in which an actor had a starting event, the breakdown's value of the first
 * such event in it (the least value of several at one moment), and the numbers of the columns in which the actor came back.
 */
export function selectPlaces(retention: Retention): Query {
  return retention.isRolling || retention.breakdown !== null
    ? selectPlacesByEvent(retention)
    : selectPlacesByInterval(retention)
}

/** Brackets of calendar intervals: columns follow from the intervals in which actors came back. */
function selectPlacesByInterval(retention: Retention): Query {
  const place = `arrayMap(r -> ${toCalendarPlace(retention, "start", "r")}, arrayFilter(r -> r >= start, returns))`
  return template(
    `SELECT actor, start, '' AS value, arrayDistinct(${toColumns(retention, place)}) AS places FROM {returns}`,
    { returns: selectReturns(retention) },
  )
}

/** Breakdowns and rolling windows depend on the starting event itself: on its value, or on its time, from which windows are counted. */
function selectPlacesByEvent(retention: Retention): Query {
  const { buckets, isFirstTime, isRolling, minimumOccurrences, target, firsts, returning, actor, isPerson } = retention
  const { breakdown, interval, conditions } = retention
  const fromMs = buckets[0]?.startMs ?? 0
  // Who is in several cohorts begins in each of them.
  const isOverlapping = breakdown?.list != null
  const value = isOverlapping ? "cohort" : "{value}"
  const event = breakdown === null ? "({micros}, {bucket})" : `({micros}, {bucket}, ${value})`
  const sorted = `arraySort(groupArrayIf(${event}, {target}))`
  const isFirst = firsts === target ? "" : "AND s.1 = minIf({micros}, {firsts})"
  const starts = isFirstTime
    ? `arrayFilter(s -> s.1 >= {fromMicros} ${isFirst}, [minIf(${event}, {target})])`
    : `arrayFilter((s, n) -> n = 1, ${sorted}, arrayEnumerateUniq(arrayMap(s -> s.2, ${sorted})))`
  const isOnce = minimumOccurrences === 1
  const isSame = hasOneList(retention)
  const listed = isRolling ? "groupArrayIf({micros}," : isOnce ? "groupUniqArrayIf({bucket}," : "groupArrayIf({bucket},"
  const returned = isSame
    ? `arrayMap(s -> s.${isRolling ? 1 : 2}, ${sorted})`
    : `${listed} {returning} AND timestamp >= {from})`
  const filters = conditions.length === 0 ? "" : "AND {conditions}"
  const often = isOnce
    ? "places"
    : `arrayFilter((place, n) -> n >= ${minimumOccurrences}, places, arrayEnumerateUniq(places))`
  return template(
    `SELECT actor, began.2 AS start, ${breakdown === null ? "''" : "began.3"} AS value,
       arrayDistinct(${toColumns(retention, often)}) AS places
     FROM (
       SELECT actor, began, arrayFilter(place -> place >= 0, ${toPlaces(retention)}) AS places
       FROM (
         SELECT actor, arrayJoin(starts) AS began, returned
         FROM (
           SELECT {actor} AS actor, ${isOverlapping ? "{value} AS cohort, " : ""}${starts} AS starts, ${returned} AS returned
           FROM events WHERE timestamp < {to} ${isFirstTime ? "" : "AND timestamp >= {from}"}
             AND ${isSame ? "{target}" : "({firsts} OR {returning})"} ${filters}
             ${isPerson ? "" : "AND {actor} IS NOT NULL"}
           GROUP BY actor${isOverlapping ? ", cohort" : ""}
         )
       )
     )`,
    {
      actor,
      target,
      firsts,
      returning,
      conditions: joinWithAnd(conditions),
      ...(breakdown !== null && { value: breakdown.expression }),
      bucket: toBucketKey(interval),
      micros: call("toUnixTimestamp64Micro", [field(["timestamp"])]),
      from: instant(fromMs),
      fromMicros: constant(fromMs * 1000),
      to: instant(buckets.at(-1)?.endMs ?? fromMs),
      timezone: constant(retention.timezone),
    },
  )
}

/** How many intervals after the start each return is; less than 0 for those before it. */
function toPlaces(retention: Retention): string {
  const { interval, isRolling } = retention
  if (!isRolling) return `arrayMap(r -> ${toCalendarPlace(retention, "began.2", "r")}, returned)`
  const time = (micros: string) => `fromUnixTimestamp64Micro(${micros}, {timezone})`
  const place =
    interval === "month" ? `age('month', ${time("began.1")}, ${time("r")})` : `intDiv(r - began.1, ${MICROS[interval]})`
  return `arrayMap(r -> if(r < began.1, -1, ${place}), returned)`
}

/** How many intervals of the calendar one bucket is after another. */
function toCalendarPlace({ interval }: Retention, from: string, to: string): string {
  switch (interval) {
    case "hour":
      return `intDiv(${to} - ${from}, 3600)`
    case "day":
      return `dateDiff('day', ${from}, ${to})`
    case "week":
      return `intDiv(dateDiff('day', ${from}, ${to}), 7)`
    case "month":
      return `dateDiff('month', ${from}, ${to})`
  }
}

/** The columns that intervals belong to; without brackets they are the same. */
function toColumns(retention: Retention, places: string): string {
  if (retention.brackets === null) return places
  const columns = listColumns(retention)
  const last = columns.at(-1)?.to ?? 0
  const begins = columns.slice(1).map(({ from }) => from)
  return `arrayMap(place -> arrayCount(b -> place >= b, [${begins.join(", ")}]), arrayFilter(place -> place <= ${last}, ${places}))`
}

/**
 * Rows `(start, place, value, actors)`; values beyond the breakdown's limit are one. When returns cumulate, each actor is counted
 * only in the last column it came back in.
 */
export function selectPlacedRetention(retention: Retention): Query {
  const { isCumulative, breakdown } = retention
  const place = isCumulative
    ? "arrayMax(arrayPushFront(places, 0))"
    : "arrayJoin(arrayConcat([0], arrayFilter(place -> place > 0, places)))"
  const rows = template(
    `SELECT start, ${place} AS place, value, count() AS actors FROM {placed} GROUP BY start, place, value`,
    { placed: selectPlaces(retention) },
  )
  if (breakdown === null) return rows
  const began = isCumulative ? "actors" : "if(place = 0, actors, 0)"
  return template(
    `SELECT start, place, if(rank <= {limit}, found, {other}) AS value, sum(actors) AS actors
     FROM (
       SELECT start, place, value AS found, actors, dense_rank() OVER (ORDER BY began DESC, value) AS rank
       FROM (SELECT start, place, value, actors, sum(${began}) OVER (PARTITION BY value) AS began FROM {rows})
     )
     GROUP BY start, place, value`,
    { rows, limit: constant(breakdown.limit), other: otherValue(breakdown) },
  )
}
