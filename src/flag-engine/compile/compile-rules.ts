import { compareDocuments } from "../definition/compare-documents.js"
import type { EvaluationRuntime, RuleDocument, RuleFlag } from "../definition/rule-document.types.js"
import { listFilters } from "../definition/stored-filters.js"
import type { CreateHashBatch } from "../hashing/hash-batch.types.js"
import { createPlainHashBatch } from "../hashing/hash-identifier.js"
import { createSimdHashing } from "../hashing/simd-hash-batch.js"
import { createCompileContext } from "./compile-context.js"
import { compileFlag } from "./compile-flag.js"
import type { CompiledFlag, CompiledRules, FlagList } from "./compiled-rules.types.js"
import { toFlagList } from "./flag-list.js"
import type { FlagRule } from "./flag-rule.types.js"
import { toFlagTable } from "./flag-table.js"

/** Compiles rule documents. One for a process: rules share the memory in which identifiers are hashed. */
export interface RuleCompiler {
  /** Compiles a rule document in one go. @param last the project's rules until now; what is unchanged is taken from them. */
  compile(document: RuleDocument, last?: CompiledRules | null): CompiledRules
  /**
   * The same flag by flag: yields after each one that had to be compiled, telling what it cost, so that whoever drives it
   * can let requests be answered in between.
   */
  compileStepwise(document: RuleDocument, last: CompiledRules | null): Generator<number, CompiledRules, void>
}

/** @param createHashBatch how identifiers are hashed; only for measuring one way against another. */
export function createRuleCompiler(
  createHashBatch: CreateHashBatch = createSimdHashing() ?? createPlainHashBatch,
): RuleCompiler {
  const compileStepwise: RuleCompiler["compileStepwise"] = function* (document, last) {
    const { areCohortsSame, findSame } = compareDocuments(last?.document ?? null, document)
    const context = createCompileContext(document, createHashBatch, areCohortsSame ? (last?.context ?? null) : null)
    const flags: CompiledFlag[] = []
    const rules: FlagRule[] = []
    for (const [position, flag] of document.flags.entries()) {
      if (!flag.active) continue
      const same = findSame(flag)
      const known = same === null ? undefined : last?.table.rules[last.flagAt.get(same)?.number ?? -1]
      flags.push(toCompiledFlag(flag, flags.length, position))
      rules.push(known ?? compileFlag(flag, context))
      if (known === undefined) yield estimateCost(flag)
    }
    return {
      document,
      flags,
      flagAt: new Map(flags.map((flag) => [flag.position, flag])),
      listsByRuntime: listByRuntime(flags),
      groupTypeIndexByName: new Map(document.groupTypes.map(({ name, index }) => [name, index])),
      table: toFlagTable(rules, createHashBatch),
      context,
    }
  }
  return {
    compileStepwise,
    compile: (document, last = null) => {
      const steps = compileStepwise(document, last)
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
      }
    },
  }
}

const toCompiledFlag = (flag: RuleFlag, number: number, position: number): CompiledFlag => {
  const { key, evaluationRuntime, evaluationContexts, dependencies, dependencyFault, needs } = flag
  const isInCycle = dependencyFault === "cycle"
  return { number, position, key, evaluationRuntime, evaluationContexts, dependencies, isInCycle, needs }
}

const COST_OF_PATTERN = 4

/** In flags without patterns: a regular expression takes several times as long as all else in a flag. */
const estimateCost = ({ filters }: RuleFlag): number =>
  1 + COST_OF_PATTERN * listFilters(filters).filter(({ operator }) => String(operator).endsWith("regex")).length

const RUNTIMES = ["all", "client", "server", null] as const

/** Flags of one runtime are left out for callers of the other, and for those who do not tell where they run. */
function listByRuntime(flags: readonly CompiledFlag[]): Map<EvaluationRuntime | null, FlagList> {
  const everything = toFlagList(flags)
  return new Map(
    RUNTIMES.map((runtime) => {
      const open = flags.filter((flag) => isOpenTo(flag, runtime))
      return [runtime, open.length === flags.length ? everything : toFlagList(open)]
    }),
  )
}

/** Whether a flag is evaluated for a caller who runs there (`docs/contract/flags.md#considered-flags`). */
export const isOpenTo = ({ evaluationRuntime }: CompiledFlag, runtime: EvaluationRuntime | null): boolean =>
  evaluationRuntime === "all" || runtime === "all" || evaluationRuntime === runtime
