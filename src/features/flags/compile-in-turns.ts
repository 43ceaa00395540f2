import { setImmediate as nextTurn } from "node:timers/promises"
import { type CompiledRules, compileStepwise } from "./compile/compile-rules.js"
import type { RuleDocument } from "./compile/rule-document.types.js"

/** Compiling so many plain flags keeps the process for about two milliseconds. */
const COST_OF_TURN = 50

/** Compiles a rule document in turns, between which requests that wait are answered; see `compileStepwise`. */
export async function compileInTurns(document: RuleDocument, last: CompiledRules | null): Promise<CompiledRules> {
  const steps = compileStepwise(document, last)
  let cost = 0
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    cost += step.value
    if (cost < COST_OF_TURN) continue
    cost = 0
    await nextTurn()
  }
}
