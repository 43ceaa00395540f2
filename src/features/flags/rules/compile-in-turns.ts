import { type CompiledRules, compileStepwise, type RuleDocument } from "../../../flag-engine/index.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"

/** Compiling so many plain flags keeps the process for about two milliseconds. */
const COST_PER_YIELD = 50

/** Compiles a rule document in turns, between which requests that wait are answered; see `compileStepwise`. */
export async function compileInTurns(document: RuleDocument, last: CompiledRules | null): Promise<CompiledRules> {
  const steps = compileStepwise(document, last)
  const budget = new YieldBudget(COST_PER_YIELD)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (budget.spend(step.value)) await yieldToEventLoop()
  }
}
