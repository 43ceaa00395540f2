import type { EvaluationRuntime, FactNeeds, RuleDocument } from "../definition/rule-document.types.js"
import type { CompileContext } from "./compile-context.js"
import type { FlagTable } from "./flag-table.js"

/** An active flag at its place in the rules. */
export interface CompiledFlag {
  /** Its number in the table of the rules. */
  readonly number: number
  /** Its position in the rule document, which has inactive flags as well. */
  readonly position: number
  readonly key: string
  readonly evaluationRuntime: EvaluationRuntime
  readonly evaluationContexts: readonly string[]
  readonly dependencies: readonly number[]
  /** Part of a circle of dependencies, or behind one. */
  readonly isInCycle: boolean
  readonly needs: FactNeeds
}

/** Facts that some flags ask for together. */
export interface ListNeeds extends FactNeeds {
  /** Keys of the flags that keep their value over a login. */
  readonly continuityFlagKeys: readonly string[]
  /** Whether one of the properties is where the caller is (`$geoip_…`). */
  readonly geoIp: boolean
}

/** Flags that are evaluated together, in dependency order. */
export interface FlagList {
  readonly flags: readonly CompiledFlag[]
  readonly needs: ListNeeds
  /** Whether one of the flags is in a circle of dependencies or behind one. */
  readonly hasCycle: boolean
}

/** A project's rules in memory, ready to evaluate. */
export interface CompiledRules {
  readonly document: RuleDocument
  /** Active flags in dependency order. */
  readonly flags: readonly CompiledFlag[]
  /** Active flags by their position in the document. */
  readonly flagAt: ReadonlyMap<number, CompiledFlag>
  /** What most requests are about: the flags that are open to callers who run there; null for who does not tell. */
  readonly listsByRuntime: ReadonlyMap<EvaluationRuntime | null, FlagList>
  readonly groupTypeIndexByName: ReadonlyMap<string, number>
  readonly table: FlagTable
  readonly context: CompileContext
}
