import { nodes } from "../../../../hogql/index.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import { template } from "../../insights/template.js"
import { toAnswer } from "../answer.js"
import type { KindDefinition } from "../kind-definition.types.js"
import { readCorrelation } from "./read-correlation.js"

const { constant } = nodes

/** Traits of fewer actors than these are left out: so many, or this share of all if that is less. */
const ENOUGH_ACTORS = 25
const ENOUGH_SHARE = 0.02
const MAX_OF_A_KIND = 10
/** With more of one outcome per other, the result is called skewed. */
const SKEWED_RATIO = 10

/**
 * Kind `FunnelCorrelationQuery`: traits (events or properties) that are more frequent among actors who completed a funnel than
 * among those who did not, and the reverse, as odds ratios; at most ten of each.
 */
export const funnelCorrelationQuery: KindDefinition = {
  kind: "FunnelCorrelationQuery",
  async answer(reader, context) {
    const { journeys, traits } = await readCorrelation(reader, context)
    const outcomes = "uniqExactIf(actor, converted) AS successes, uniqExactIf(actor, not converted) AS failures"
    const totals = await context.select(template(`SELECT ${outcomes} FROM {journeys}`, { journeys: journeys.query }))
    const [successes = 0, failures = 0] = (totals.rows[0] ?? []).map(Number)
    const least = Math.min(ENOUGH_ACTORS, ENOUGH_SHARE * (successes + failures))
    const found = await context.select(
      template(
        `SELECT name, ${outcomes} FROM {traits} GROUP BY name HAVING successes + failures >= {least}
         ORDER BY successes + failures DESC, name`,
        { traits, least: constant(least) },
      ),
    )
    const isOneSided = successes === 0 || failures === 0
    const results = {
      events: isOneSided ? [] : selectStrongest(found.rows.map((row) => toCorrelation(row, successes, failures))),
      skewed: isOneSided || Math.max(successes / failures, failures / successes) > SKEWED_RATIO,
    }
    return toAnswer(results, [totals, found])
  },
}

interface TraitCorrelation extends JsonObject {
  odds_ratio: number
  correlation_type: "success" | "failure"
}

/** The odds of success with a trait divided by those without it; each count is raised by one, so that none is 0. */
function toCorrelation(row: readonly Json[], successes: number, failures: number): TraitCorrelation {
  const [name = null, withSuccess, withFailure] = row
  const [success, failure] = [Number(withSuccess), Number(withFailure)]
  const odds = ((success + 1) * (failures - failure + 1)) / ((successes - success + 1) * (failure + 1))
  return {
    event: { event: name, properties: {}, elements: [] },
    success_count: success,
    failure_count: failure,
    odds_ratio: odds,
    correlation_type: odds > 1 ? "success" : "failure",
  }
}

function selectStrongest(all: readonly TraitCorrelation[]): TraitCorrelation[] {
  const sorted = all.toSorted((a, b) => b.odds_ratio - a.odds_ratio)
  const ofType = (type: string) => sorted.filter(({ correlation_type }) => correlation_type === type)
  return [...ofType("success").slice(0, MAX_OF_A_KIND), ...ofType("failure").toReversed().slice(0, MAX_OF_A_KIND)]
}
