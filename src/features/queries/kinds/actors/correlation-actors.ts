import { type Expression, nodes, type Query } from "../../../../hogql/index.js"
import { allOf, filterCondition } from "../../insights/property-conditions.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { readSeries } from "../../insights/series.js"
import { template } from "../../insights/template.js"
import { eventsOnTheWay, readCorrelation } from "../correlations/read-correlation.js"
import type { PointActors } from "./point-actors.types.js"

const { constant, field, not } = nodes

/**
 * The persons behind a trait of a correlation: those who did `funnelCorrelationPersonEntity` on their way, or who have
 * `funnelCorrelationPropertyValues`; by `funnelCorrelationPersonConverted` those who came through, those who did not, or both.
 */
export const correlationActors: PointActors = async (reader, source, runner, run) => {
  const { type, journeys } = await readCorrelation(source, runner, run)
  if (journeys.groupTypeIndex !== null) throw reader.fault("source", "counts groups, which are no persons")
  const those =
    type === "properties"
      ? template("SELECT actor, converted FROM {journeys} WHERE {fits}", {
          journeys: journeys.query,
          fits: await hasProperties(reader),
        })
      : eventsOnTheWay(journeys, constant(""), await isEntity(reader))
  return template("SELECT actor AS actor_id, count() AS event_count FROM {those} WHERE {went} GROUP BY actor_id", {
    those: await those,
    went: outcome(reader),
  })
}

function outcome(reader: QueryReader): Expression {
  const isAsked = reader.value("funnelCorrelationPersonConverted") !== null
  const converted = field(["converted"])
  if (!isAsked) return constant(true)
  return reader.flag("funnelCorrelationPersonConverted") ? converted : not(converted)
}

async function isEntity(reader: QueryReader): Promise<Expression> {
  if (reader.value("funnelCorrelationPersonEntity") === null)
    throw reader.fault("funnelCorrelationPersonEntity", "is required: the event that the persons did")
  return (await readSeries(reader.object("funnelCorrelationPersonEntity"), 0)).condition
}

async function hasProperties(reader: QueryReader): Promise<Expression> {
  const filters = reader.list("funnelCorrelationPropertyValues") ?? []
  const fits = allOf([await filterCondition(filters, "persons")])
  const persons: Query = await template("SELECT id FROM persons WHERE {fits}", { fits })
  return nodes.compare("in", field(["actor"]), persons)
}
