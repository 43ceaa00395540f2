import { nodes } from "../../../../hogql/index.js"
import { breakdownCondition } from "../../insights/breakdown-condition.js"
import { template } from "../../insights/template.js"
import { selectAttempts, toDepth } from "../funnels/attempts.js"
import { readFunnel } from "../funnels/read-funnel.js"
import { type PointActors, refuseGroups } from "./point-actors.js"

const { compare, constant, field } = nodes

/** The persons who came to step `funnelStep` of a funnel, counted from 1; for `-n` those who came to step n - 1 and no further. */
export const funnelActors: PointActors = async (reader, source, context) => {
  refuseGroups(source)
  const funnel = await readFunnel(source, context)
  const last = funnel.steps.length
  const step = reader.integer("funnelStep", { min: -last, max: last })
  if (step === null || step === 0 || step === -1)
    throw reader.fault("funnelStep", `must be 1 to ${last}, or -2 to -${last} for those who left before that step`)
  const depth =
    step > 0 ? compare(">=", field(["depth"]), constant(step)) : compare("==", field(["depth"]), constant(-step - 1))
  const ofBreakdown = breakdownCondition(reader, "funnelStepBreakdown", funnel.breakdown, field(["breakdown"]))
  return template(
    `SELECT actor AS actor_id, max(reached) AS depth, max(reached) AS event_count
     FROM (
       SELECT actor, breakdown, arrayMax(worths) AS worth, ${toDepth("worth")} AS reached
       FROM {attempts} WHERE worth > 0 AND {ofBreakdown}
     )
     GROUP BY actor_id HAVING {depth}`,
    { attempts: selectAttempts(funnel), depth, ofBreakdown: ofBreakdown ?? constant(true) },
  )
}
