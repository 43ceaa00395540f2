import { isTimeZone } from "../../kernel/time-zone.js"
import { namesOf } from "../definition/dependency-order.js"
import { resolveFlagReference } from "../definition/flag-reference.js"
import { reuseOf } from "../definition/reuse.js"
import type { EvaluationRuntime, FactNeeds, RuleDocument, RuleFlag } from "../definition/rule-document.types.js"
import { filtersOfFlag } from "../definition/stored-filters.js"
import { type OrderedFlag, planFlags } from "../evaluate/evaluate-flags.js"
import { type CohortTests, compileCohorts } from "./cohort.js"
import type { CompileContext, SharedTests } from "./filter.js"
import { compileFlag } from "./flag.js"

/** An active flag, ready to evaluate. */
export interface CompiledFlag extends OrderedFlag {
  readonly key: string
  readonly evaluationRuntime: EvaluationRuntime
  readonly evaluationContexts: readonly string[]
  readonly dependencies: readonly number[]
  /** Part of a circle of dependencies, or behind one. */
  readonly isInCycle: boolean
  readonly needs: FactNeeds
}

/** A project's rules in memory, ready to evaluate. */
export interface CompiledRules {
  readonly document: RuleDocument
  /** Active flags in dependency order. */
  readonly flags: readonly CompiledFlag[]
  readonly groupTypeIndexByName: ReadonlyMap<string, number>
  /** Active flags by their position in the document. */
  readonly flagAt: ReadonlyMap<number, CompiledFlag>
  readonly cohortTests: CohortTests
  readonly sharedTests: SharedTests
}

/** Filters kept from one version of the rules to the next; beyond it those of flags long gone are not kept for ever. */
const MAX_SHARED_TESTS = 10_000

/**
 * Compiles a rule document flag by flag and stops after each one that had to be compiled, telling what it cost, so that
 * whoever drives it can let others have their turn. A flag that cannot be read compiles to one that fails; the others
 * are unharmed.
 * @param last the project's rules until now; what is unchanged is taken from them.
 */
export function* compileStepwise(
  document: RuleDocument,
  last: CompiledRules | null,
): Generator<number, CompiledRules, void> {
  const { areCohortsSame, sameFlag } = reuseOf(last?.document ?? null, document)
  const context = compileContextOf(document, areCohortsSame ? last : null)
  const flags: CompiledFlag[] = []
  for (const [position, flag] of document.flags.entries()) {
    if (!flag.active) continue
    const { key, evaluationRuntime, evaluationContexts, dependencies, dependencyFault, needs } = flag
    const same = sameFlag(flag)
    const known = same && last?.flagAt.get(same.position)
    const compiled = known ?? compileFlag({ ...flag, hasMissingDependency: dependencyFault !== null }, context)
    const { evaluate, hashes, plain } = compiled
    const isInCycle = dependencyFault === "cycle"
    flags.push({
      position,
      key,
      evaluationRuntime,
      evaluationContexts,
      dependencies,
      isInCycle,
      needs,
      evaluate,
      hashes,
      plain,
    })
    if (known === undefined) yield costOf(flag)
  }
  planFlags(flags)
  return {
    document,
    flags,
    groupTypeIndexByName: new Map(document.groupTypes.map(({ name, index }) => [name, index])),
    flagAt: new Map(flags.map((flag) => [flag.position, flag])),
    cohortTests: context.cohorts,
    sharedTests: context.sharedTests,
  }
}

const COST_OF_PATTERN = 4

/** In plain flags: a regular expression takes several times as long as all else in a flag. */
const costOf = ({ filters }: RuleFlag): number =>
  1 + COST_OF_PATTERN * filtersOfFlag(filters).filter(({ operator }) => String(operator).endsWith("regex")).length

/** Compiles a rule document in one go. */
export function compileRules(document: RuleDocument, last: CompiledRules | null = null): CompiledRules {
  const steps = compileStepwise(document, last)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** What filters are compiled with besides the flag: time zone, cohorts, and where other flags have their results. */
export function compileContextOf(
  document: RuleDocument,
  known: Pick<CompiledRules, "cohortTests" | "sharedTests"> | null = null,
): CompileContext {
  const timeZone = isTimeZone(document.timeZone) ? document.timeZone : "UTC"
  const names = namesOf(document.flags)
  const positions = new Map(document.flags.map((flag, position) => [flag.id, position]))
  return {
    timeZone,
    cohorts: known?.cohortTests ?? compileCohorts(document.cohorts, timeZone),
    sharedTests: known !== null && known.sharedTests.size <= MAX_SHARED_TESTS ? known.sharedTests : new Map(),
    positionOfFlag: (filter) => {
      const id = resolveFlagReference(filter.key, filter.isFlagKey, names)
      return id === null ? undefined : positions.get(id)
    },
  }
}
