import type { CompiledRules, RuleCompiler, RuleDocument } from "../../../flag-engine/index.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"

/** Compiling so many plain flags keeps the process for about two milliseconds. */
const COST_PER_YIELD = 50

/** Compiles a rule document and yields to the event loop in between, so that waiting requests are answered. */
export async function compileCooperatively(
  compiler: RuleCompiler,
  document: RuleDocument,
  last: CompiledRules | null,
): Promise<CompiledRules> {
  const steps = compiler.compileStepwise(document, last)
  const budget = new YieldBudget(COST_PER_YIELD)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (budget.spend(step.value)) await yieldToEventLoop()
  }
}
