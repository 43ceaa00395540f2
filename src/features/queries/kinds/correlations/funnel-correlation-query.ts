import { nodes } from "../../../../hogql/index.js"
import type { Json, JsonObject } from "../../../../kernel/json.js"
import { orQueryFault } from "../../insights/query-fault.js"
import { QueryReader } from "../../insights/query-reader.js"
import { template } from "../../insights/template.js"
import type { QueryKind } from "../../queries.types.js"
import { answerOf } from "../answer.js"
import type { HogqlRunner } from "../hogql-runner.js"
import { readCorrelation } from "./read-correlation.js"

const { constant } = nodes

/** A trait that fewer actors have than this many, or this share of all, says nothing. */
const ENOUGH_ACTORS = 25
const ENOUGH_SHARE = 0.02
const MAX_OF_A_KIND = 10
/** Beyond this the one outcome is too rare beside the other. */
const SKEWED_RATIO = 10

/**
 * Kind `FunnelCorrelationQuery`: what those who came through a funnel did or are more often than those who left it, and the other
 * way round, as odds ratios: at most ten traits that go with success, and ten that go with failure.
 */
export const createFunnelCorrelationKind = (runner: HogqlRunner): QueryKind => ({
  kind: "FunnelCorrelationQuery",
  async run(query, run) {
    const reader = new QueryReader(query, "FunnelCorrelationQuery")
    const { journeys, traits } = await orQueryFault(() => readCorrelation(reader, runner, run))
    const outcomes = "uniqExactIf(actor, converted) AS successes, uniqExactIf(actor, not converted) AS failures"
    const totals = await runner.runNodes(
      await template(`SELECT ${outcomes} FROM {journeys}`, { journeys: journeys.query }),
      run,
    )
    const [successes = 0, failures = 0] = (totals.rows[0] ?? []).map(Number)
    const least = Math.min(ENOUGH_ACTORS, ENOUGH_SHARE * (successes + failures))
    const found = await runner.runNodes(
      await template(
        `SELECT name, ${outcomes} FROM {traits} GROUP BY name HAVING successes + failures >= {least}
         ORDER BY successes + failures DESC, name`,
        { traits, least: constant(least) },
      ),
      run,
    )
    const isOneSided = successes === 0 || failures === 0
    const results = {
      events: isOneSided ? [] : strongest(found.rows.map((row) => toCorrelation(row, successes, failures))),
      skewed: isOneSided || Math.max(successes / failures, failures / successes) > SKEWED_RATIO,
    }
    return answerOf(results, [totals, found])
  },
})

interface TraitCorrelation extends JsonObject {
  odds_ratio: number
  correlation_type: "success" | "failure"
}

/** The odds of success with a trait over those without it; one more in each count, so that none is 0. */
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

function strongest(all: readonly TraitCorrelation[]): TraitCorrelation[] {
  const sorted = all.toSorted((a, b) => b.odds_ratio - a.odds_ratio)
  const of = (type: string) => sorted.filter(({ correlation_type }) => correlation_type === type)
  return [...of("success").slice(0, MAX_OF_A_KIND), ...of("failure").toReversed().slice(0, MAX_OF_A_KIND)]
}
