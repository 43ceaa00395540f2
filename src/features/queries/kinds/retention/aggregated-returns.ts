import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { instant, toBucketKey } from "../../insights/buckets.js"
import { joinWithAnd, joinWithOr } from "../../insights/property-conditions.js"
import { template } from "../../insights/template.js"
import type { Retention } from "./read-retention.js"

const { compare, field } = nodes

/**
 * Rows `(start, back, actors, value)` of a retention that adds up or averages a property
 * (`docs/contract/queries.md#retentionquery`): an actor's value is the sum over its starting events in the interval in
 * which it began, and over its returning events in each interval after that.
 */
export function selectAggregated(retention: Retention, value: Expression): Query {
  const { aggregation, isFirstTime, target, firsts, returning, actor, conditions, interval, buckets } = retention
  const begun = "arraySort(groupArrayIf((bucket, began), starts > 0))"
  // Whoever began before the dates is in an interval that is not shown.
  const starts = isFirstTime ? `arraySlice(${begun}, 1, 1)` : begun
  const isFirst = isFirstTime ? "HAVING min(first) = min(first_fitting)" : ""
  return template(
    `SELECT start, cell.1 AS back, count() AS actors, ${aggregation}(cell.2) AS value
     FROM (
       SELECT begin.1 AS start, arrayJoin(arrayConcat([begin], arrayFilter(r -> r.1 > begin.1, returned))) AS cell
       FROM (
         SELECT actor, arrayJoin(${starts}) AS begin, groupArrayIf((bucket, gained), backs > 0) AS returned
         FROM (
           SELECT {actor} AS actor, {bucket} AS bucket, countIf({target}) AS starts, countIf({returning}) AS backs,
             ifNull(sumIf({value}, {target}), 0) AS began, ifNull(sumIf({value}, {returning}), 0) AS gained,
             if(countIf({firsts}) > 0, minIf(timestamp, {firsts}), NULL) AS first,
             if(starts > 0, minIf(timestamp, {target}), NULL) AS first_fitting
           FROM events WHERE {where} AND {actor} IS NOT NULL GROUP BY actor, bucket
         )
         GROUP BY actor ${isFirst}
       )
     )
     GROUP BY start, back`,
    {
      actor,
      value,
      target,
      firsts,
      returning,
      bucket: toBucketKey(interval),
      where: joinWithAnd([
        compare("<", field(["timestamp"]), instant(buckets.at(-1)?.endMs ?? 0)),
        isFirstTime ? null : compare(">=", field(["timestamp"]), instant(buckets[0]?.startMs ?? 0)),
        joinWithOr([firsts, returning]),
        ...conditions,
      ]),
    },
  )
}
