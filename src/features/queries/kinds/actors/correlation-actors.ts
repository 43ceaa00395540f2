import { type Expression, type HogqlScope, nodes } from "../../../../hogql/index.js"
import { filterCondition, joinWithAnd } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { readSeries } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import { readCorrelation, selectEventsOnTheWay } from "../correlations/read-correlation.js"
import type { PointActors } from "./point-actors.js"

const { compare, constant, field, not } = nodes

/**
 * The persons behind a trait of a correlation: those who did `funnelCorrelationPersonEntity` on their way, or who have
 * `funnelCorrelationPropertyValues`; by `funnelCorrelationPersonConverted` those who came through, those who did not, or both.
 */
export const correlationActors: PointActors = async (reader, source, context) => {
  const { type, journeys } = await readCorrelation(source, context)
  if (journeys.groupTypeIndex !== null) throw reader.fault("source", "counts groups, which are no persons")
  const those =
    type === "properties"
      ? template("SELECT actor, converted FROM {journeys} WHERE {fits}", {
          journeys: journeys.query,
          fits: readProperties(reader),
        })
      : selectEventsOnTheWay(journeys, constant(""), readEntity(reader, await context.hogqlScope()))
  return template("SELECT actor AS actor_id, count() AS event_count FROM {those} WHERE {went} GROUP BY actor_id", {
    those,
    went: readOutcome(reader),
  })
}

function readOutcome(reader: QueryReader): Expression {
  const isAsked = reader.value("funnelCorrelationPersonConverted") !== null
  const converted = field(["converted"])
  if (!isAsked) return constant(true)
  return reader.flag("funnelCorrelationPersonConverted") ? converted : not(converted)
}

function readEntity(reader: QueryReader, scope: HogqlScope): Expression {
  if (reader.value("funnelCorrelationPersonEntity") === null)
    throw reader.fault("funnelCorrelationPersonEntity", "is required: the event that the persons did")
  return readSeries(reader.object("funnelCorrelationPersonEntity"), 0, scope).condition
}

function readProperties(reader: QueryReader): Expression {
  const filters = reader.list("funnelCorrelationPropertyValues") ?? []
  const fits = joinWithAnd([filterCondition(filters, "persons")])
  return compare("in", field(["actor"]), template("SELECT id FROM persons WHERE {fits}", { fits }))
}
