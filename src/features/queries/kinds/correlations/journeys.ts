import { nodes } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import type { QueryReader } from "../../insights/query-reader.js"
import { refuseComparison, refuseOptions } from "../../insights/refusals.js"
import { template } from "../../insights/template.js"
import { selectBestAttempts } from "../funnels/attempts.js"
import { type Funnel, readFunnel, refuseOptionalSteps } from "../funnels/read-funnel.js"
import type { KindContext } from "../kind-context.js"

const { constant, field } = nodes

/** Those who came into a funnel, with what became of it. */
export type Journeys = Awaited<ReturnType<typeof readJourneys>>

/**
 * Reads a `FunnelsActorsQuery` for everybody who came to `funnelStep` (the first when it is not named), whether further or not.
 * @throws AppError parse_error naming the field, HogqlError for filters that cannot be read.
 */
export async function readJourneys(reader: QueryReader, context: KindContext) {
  if (reader.requiredText("kind") !== "FunnelsActorsQuery") throw reader.fault("kind", "must be FunnelsActorsQuery")
  const source = reader.object("source")
  if (source.requiredText("kind") !== "FunnelsQuery") throw source.fault("kind", "must be FunnelsQuery")
  refuseComparison(source)
  refuseOptions(reader, { compare: null })
  const asked = await readFunnel(source, context)
  refuseOptionalSteps(source, asked)
  const last = asked.steps.length
  const step = reader.integer("funnelStep", { min: 1, max: last }) ?? 1
  const value = breakdownCondition(reader, "funnelStepBreakdown", asked.breakdown, field(["breakdown"]))
  // Without a value the breakdown is left out, or an actor with several values would be counted several times.
  const funnel: Funnel = value === null ? { ...asked, breakdown: null, attribution: "first_touch" } : asked
  const query = template(
    `SELECT actor, path[1] AS began, length(path) = ${last} AS converted,
       if(converted, path[-1], path[1] + ${funnel.windowSeconds}000000) AS ended
     FROM {best} WHERE depth >= ${step} AND {ofBreakdown}`,
    { best: selectBestAttempts(funnel), ofBreakdown: value ?? constant(true) },
  )
  const isOther = source.object("funnelsFilter").text("funnelAggregateByHogQL")
  const group = source.integer("aggregation_group_type_index")
  return {
    funnel,
    /** Which of the groups' types goes through the funnel; null for persons, undefined for something else. */
    groupTypeIndex: group === null && isOther ? undefined : group,
    /**
     * Rows `(actor, began, ended, converted)` of each actor's best attempt: times in microseconds, the end that of the last
     * step, or of the conversion window for those who did not get there.
     */
    query,
  }
}
