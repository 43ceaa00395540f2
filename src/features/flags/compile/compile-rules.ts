import { compileCohorts } from "../evaluate/cohort.js"
import type { OrderedFlag } from "../evaluate/evaluate-flags.js"
import type { CompileContext } from "../evaluate/filter.js"
import { compileFlag } from "../evaluate/flag.js"
import { resolveFlagReference } from "../evaluate/flag-reference.js"
import { isTimeZone } from "../evaluate/time-zone.js"
import { namesOf } from "./dependency-order.js"
import type { EvaluationRuntime, FactNeeds, RuleDocument } from "./rule-document.types.js"

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
}

/** Compiles a rule document. A flag that cannot be read compiles to one that fails; the others are unharmed. */
export function compileRules(document: RuleDocument): CompiledRules {
  const context = compileContextOf(document)
  const flags = document.flags.flatMap((flag, position): CompiledFlag[] => {
    if (!flag.active) return []
    const { key, evaluationRuntime, evaluationContexts, dependencies, dependencyFault, needs } = flag
    const evaluate = compileFlag({ ...flag, hasMissingDependency: dependencyFault !== null }, context)
    const isInCycle = dependencyFault === "cycle"
    return [{ position, key, evaluationRuntime, evaluationContexts, dependencies, isInCycle, needs, evaluate }]
  })
  return {
    document,
    flags,
    groupTypeIndexByName: new Map(document.groupTypes.map(({ name, index }) => [name, index])),
    flagAt: new Map(flags.map((flag) => [flag.position, flag])),
  }
}

/** What filters are compiled with besides the flag: time zone, cohorts, and where other flags have their results. */
export function compileContextOf(document: RuleDocument): CompileContext {
  const timeZone = isTimeZone(document.timeZone) ? document.timeZone : "UTC"
  const names = namesOf(document.flags)
  const positions = new Map(document.flags.map((flag, position) => [flag.id, position]))
  return {
    timeZone,
    cohorts: compileCohorts(document.cohorts, timeZone),
    positionOfFlag: (filter) => {
      const id = resolveFlagReference(filter.key, filter.isFlagKey, names)
      return id === null ? undefined : positions.get(id)
    },
  }
}
