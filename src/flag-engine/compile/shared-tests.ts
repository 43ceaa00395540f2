import type { ScopeTest } from "../evaluation.types.js"
import { HOLDS_FOR_NOBODY } from "./property-tests.js"

/** Tests of filters that several flags of a project have. Each is run once in an evaluation, however many flags ask. */
export class SharedTests {
  readonly #tests = new Map<string, ScopeTest>()
  #evaluations = 0

  get size(): number {
    return this.#tests.size
  }

  /** Numbers an evaluation, so that answers given in an earlier one do not count. */
  beginEvaluation(): number {
    this.#evaluations++
    return this.#evaluations
  }

  /** The test that was made from the same, or a new one. */
  get(madeFrom: string, make: () => ScopeTest): ScopeTest {
    let test = this.#tests.get(madeFrom)
    if (test === undefined) {
      test = oncePerEvaluation(make())
      this.#tests.set(madeFrom, test)
    }
    return test
  }
}

/** An answer that came with a fault is not kept. */
function oncePerEvaluation(test: ScopeTest): ScopeTest {
  if (test === HOLDS_FOR_NOBODY) return test
  let answeredIn = 0
  let holds = false
  return (scope) => {
    if (answeredIn === scope.number) return holds
    const answer = test(scope)
    if (scope.fault !== null) return answer
    answeredIn = scope.number
    holds = answer
    return answer
  }
}
