import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { OTHER_BREAKDOWN } from "../../insights/breakdown.js"
import { bucketKey, instant } from "../../insights/buckets.js"
import type { Interval } from "../../insights/date-range.js"
import { allOf } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import { columnsOf } from "./columns.js"
import type { Retention } from "./read-retention.js"
import { hasOneList, returnsSelect } from "./returns-select.js"

const { array, call, constant, field } = nodes

const MICROS = { hour: 3_600_000_000, day: 86_400_000_000, week: 604_800_000_000 } as const

/** Whether columns are no plain intervals of the calendar, or actors are told apart: then returns are placed one by one. */
export const needsPlaces = ({ isRolling, brackets, breakdown }: Retention): boolean =>
  isRolling || brackets !== null || breakdown !== null

/**
 * Rows `(actor, start, value, places)`: an interval in which an actor began, the breakdown's value of the event that began in it
 * (the earliest, of several at one moment the least value), and the numbers of the columns in which the actor came back.
 */
export function placedReturns(retention: Retention): Promise<Query> {
  return retention.isRolling || retention.breakdown !== null ? placedByEvent(retention) : placedByInterval(retention)
}

/** Columns of intervals of the calendar need no more than the intervals themselves. */
async function placedByInterval(retention: Retention): Promise<Query> {
  const place = `arrayMap(r -> ${calendarPlace(retention, "start", "r")}, arrayFilter(r -> r >= start, returns))`
  return template(
    `SELECT actor, start, '' AS value, arrayDistinct(${columnOf(retention, place)}) AS places FROM {returns}`,
    { returns: await returnsSelect(retention) },
  )
}

/** Which event it was that an actor began with matters: for its value, or as its time is what later intervals are counted from. */
function placedByEvent(retention: Retention): Promise<Query> {
  const { buckets, isFirstTime, isRolling, minimumOccurrences, target, returning, actor, isPerson, conditions } =
    retention
  const { breakdown } = retention
  const interval = retention.period.toLowerCase() as Interval
  const fromMs = buckets[0]?.startMs ?? 0
  // Who is in several cohorts begins in each of them.
  const isOverlapping = breakdown?.list != null
  const value = isOverlapping ? "cohort" : "{value}"
  const event = breakdown === null ? "({micros}, {bucket})" : `({micros}, {bucket}, ${value})`
  const sorted = `arraySort(groupArrayIf(${event}, {target}))`
  const starts = isFirstTime
    ? `arrayFilter(s -> s.1 >= {fromMicros}, [minIf(${event}, {target})])`
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
       arrayDistinct(${columnOf(retention, often)}) AS places
     FROM (
       SELECT actor, began, arrayFilter(place -> place >= 0, ${placeOf(retention)}) AS places
       FROM (
         SELECT actor, arrayJoin(starts) AS began, returned
         FROM (
           SELECT {actor} AS actor, ${isOverlapping ? "{value} AS cohort, " : ""}${starts} AS starts, ${returned} AS returned
           FROM events WHERE timestamp < {to} ${isFirstTime ? "" : "AND timestamp >= {from}"}
             AND ${isSame ? "{target}" : "({target} OR {returning})"} ${filters} ${isPerson ? "" : "AND {actor} IS NOT NULL"}
           GROUP BY actor${isOverlapping ? ", cohort" : ""}
         )
       )
     )`,
    {
      actor,
      target,
      returning,
      conditions: allOf(conditions),
      ...(breakdown !== null && { value: breakdown.expression }),
      bucket: bucketKey(interval),
      micros: call("toUnixTimestamp64Micro", [field(["timestamp"])]),
      from: instant(fromMs),
      fromMicros: constant(fromMs * 1000),
      to: instant(buckets.at(-1)?.endMs ?? fromMs),
      timezone: constant(retention.timezone),
    },
  )
}

/** How many intervals after the beginning each return is; less than 0 for those before it. */
function placeOf(retention: Retention): string {
  const { period, isRolling } = retention
  const interval = period.toLowerCase() as "hour" | "day" | "week" | "month"
  if (!isRolling) return `arrayMap(r -> ${calendarPlace(retention, "began.2", "r")}, returned)`
  const time = (micros: string) => `fromUnixTimestamp64Micro(${micros}, {timezone})`
  const place =
    interval === "month" ? `age('month', ${time("began.1")}, ${time("r")})` : `intDiv(r - began.1, ${MICROS[interval]})`
  return `arrayMap(r -> if(r < began.1, -1, ${place}), returned)`
}

/** How many intervals of the calendar one bucket is after another. */
function calendarPlace({ period }: Retention, from: string, to: string): string {
  switch (period) {
    case "Hour":
      return `intDiv(${to} - ${from}, 3600)`
    case "Day":
      return `dateDiff('day', ${from}, ${to})`
    case "Week":
      return `intDiv(dateDiff('day', ${from}, ${to}), 7)`
    case "Month":
      return `dateDiff('month', ${from}, ${to})`
  }
}

/** The columns that intervals belong to; without brackets they are the same. */
function columnOf(retention: Retention, places: string): string {
  if (retention.brackets === null) return places
  const columns = columnsOf(retention)
  const last = columns.at(-1)?.to ?? 0
  const begins = columns.slice(1).map(({ from }) => from)
  return `arrayMap(place -> arrayCount(b -> place >= b, [${begins.join(", ")}]), arrayFilter(place -> place <= ${last}, ${places}))`
}

/**
 * Rows `(start, place, value, actors)`, values beyond the breakdown's limit as one. When returns cumulate, each actor stands only
 * at the last column it came back in.
 */
export async function placedRetention(retention: Retention): Promise<Query> {
  const { isCumulative, breakdown } = retention
  const place = isCumulative
    ? "arrayMax(arrayPushFront(places, 0))"
    : "arrayJoin(arrayConcat([0], arrayFilter(place -> place > 0, places)))"
  const rows = await template(
    `SELECT start, ${place} AS place, value, count() AS actors FROM {placed} GROUP BY start, place, value`,
    { placed: await placedReturns(retention) },
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
    { rows, limit: constant(breakdown.limit), other: otherOf(breakdown.isMultiple) },
  )
}

const otherOf = (isMultiple: boolean): Expression =>
  isMultiple ? array([constant(OTHER_BREAKDOWN)]) : constant(OTHER_BREAKDOWN)
