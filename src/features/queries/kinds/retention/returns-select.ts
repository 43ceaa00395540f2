import { nodes, type Query, sameText } from "../../../../hogql/index.js"
import { instant, toBucketKey } from "../../insights/buckets.js"
import { joinWithAnd } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import type { Retention } from "./read-retention.js"

const { field } = nodes

/** Rows `(start, back, actors)`; when returns cumulate, each actor is counted only in the last interval in which it came back. */
export function selectRetention(retention: Retention): Query {
  const each = hasOneList(retention)
    ? "arrayFilter(b -> b >= start, returns)"
    : "arrayConcat([start], arrayFilter(b -> b > start, returns))"
  const back = retention.isCumulative ? "arrayMax(arrayPushFront(returns, start))" : `arrayJoin(${each})`
  return template(`SELECT start, ${back} AS back, count() AS actors FROM {returns} GROUP BY start, back`, {
    returns: selectReturns(retention),
  })
}

/** Whether the returning event is the starting event, as in most retentions: one list of intervals serves for both then. */
export const hasOneList = ({ isFirstTime, minimumOccurrences, target, returning }: Retention): boolean =>
  !isFirstTime && minimumOccurrences === 1 && sameText(target) === sameText(returning)

/** Rows `(actor, start, returns)`: an interval with a starting event of the actor, and all intervals in which it came back. */
export function selectReturns(retention: Retention): Query {
  const { interval, buckets, isFirstTime, minimumOccurrences, target, firsts, returning, actor, isPerson, conditions } =
    retention
  const fromMs = buckets[0]?.startMs ?? 0
  const isSame = hasOneList(retention)
  const isFirst = firsts === target ? "" : "minIf(timestamp, {firsts}) = minIf(timestamp, {target}) AND"
  const starts = isFirstTime
    ? `if(countIf({target}) > 0 AND ${isFirst} minIf(timestamp, {target}) >= {from}, [{first}],
        arrayFilter(b -> 0, [{first}]))`
    : isSame
      ? "groupUniqArray({bucket})"
      : "groupUniqArrayIf({bucket}, {target})"
  const returned = `{returning}${isFirstTime ? " AND timestamp >= {from}" : ""}`
  const each = `groupArrayIf({bucket}, ${returned})`
  const often = `arrayDistinct(arrayFilter((b, n) -> n >= ${minimumOccurrences}, ${each}, arrayEnumerateUniq(${each})))`
  const distinct = minimumOccurrences === 1 ? `groupUniqArrayIf({bucket}, ${returned})` : often
  const either = isSame ? "{target}" : "({firsts} OR {returning})"
  const earlier = isFirstTime ? "" : "AND timestamp >= {from}"
  const filters = conditions.length === 0 ? "" : "AND {conditions}"
  const known = isPerson ? "" : "AND {actor} IS NOT NULL"
  return template(
    `SELECT actor, arrayJoin(starts) AS start, ${isSame ? "starts AS returns" : "returns"}
     FROM (
       SELECT {actor} AS actor, ${starts} AS starts${isSame ? "" : `, ${distinct} AS returns`}
       FROM events WHERE timestamp < {to} ${earlier} AND ${either} ${filters} ${known}
       GROUP BY actor
     )`,
    {
      actor,
      target,
      firsts,
      returning,
      conditions: joinWithAnd(conditions),
      bucket: toBucketKey(interval),
      first: toBucketKey(interval, nodes.call("minIf", [field(["timestamp"]), target])),
      from: instant(fromMs),
      to: instant(buckets.at(-1)?.endMs ?? fromMs),
    },
  )
}
