import { isOpenTo } from "../compile/compile-rules.js"
import type { CompiledFlag, CompiledRules, FlagList } from "../compile/compiled-rules.types.js"
import { toFlagList } from "../compile/flag-list.js"
import type { EvaluationRuntime } from "../definition/rule-document.types.js"

/** Keys of flags that decide who sees a survey begin so (`docs/contract/flags.md#decision-parameters`). */
const SURVEY_FLAG_PREFIX = "survey-targeting-"

/** What narrows the flags of one request (`docs/contract/flags.md#considered-flags`). */
export interface FlagSelection {
  /** Only these flags, and what they depend on; null for all. */
  readonly flagKeys: readonly string[] | null
  /** Only flags without contexts or with one of these; empty for all. */
  readonly evaluationContexts: readonly string[]
  /** Where the caller runs; null when nothing tells. */
  readonly runtime: EvaluationRuntime | null
  readonly onlySurveyFlags: boolean
}

/** The flags that a request is about. Those left out count as off for the others. */
export function selectFlags(rules: CompiledRules, selection: FlagSelection): FlagList {
  const { flagKeys, evaluationContexts, runtime, onlySurveyFlags } = selection
  const list = rules.listsByRuntime.get(runtime)
  if (list !== undefined && flagKeys === null && evaluationContexts.length === 0 && !onlySurveyFlags) return list
  const open = rules.flags.filter((flag) => isOpenTo(flag, runtime) && isWanted(flag, selection))
  const wanted = flagKeys === null ? null : withDependencies(rules, open, new Set(flagKeys))
  return toFlagList(wanted === null ? open : open.filter((flag) => wanted.has(flag.position)))
}

const isWanted = ({ key, evaluationContexts }: CompiledFlag, selection: FlagSelection): boolean =>
  (!selection.onlySurveyFlags || key.startsWith(SURVEY_FLAG_PREFIX)) &&
  (selection.evaluationContexts.length === 0 ||
    evaluationContexts.length === 0 ||
    evaluationContexts.some((context) => selection.evaluationContexts.includes(context)))

/** Positions of the named ones among the flags that are open to the caller, and of everything these depend on. */
function withDependencies(rules: CompiledRules, open: readonly CompiledFlag[], keys: ReadonlySet<string>): Set<number> {
  const wanted = new Set<number>()
  const pending = open.filter((flag) => keys.has(flag.key)).map((flag) => flag.position)
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    if (wanted.has(position)) continue
    wanted.add(position)
    pending.push(...(rules.flagAt.get(position)?.dependencies ?? []))
  }
  return wanted
}
