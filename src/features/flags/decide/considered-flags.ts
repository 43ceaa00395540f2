import { type CompiledFlag, type CompiledRules, type EvaluationRuntime, planFlags } from "../../../flag-engine/index.js"
import type { DecideRequest } from "./decide-request.js"

/** Keys of flags that decide who sees a survey begin so (`docs/contract/flags.md#decision-parameters`). */
const SURVEY_FLAG_PREFIX = "survey-targeting-"

/** What narrows the flags of one request. */
export type FlagSelection = Pick<DecideRequest, "flagKeys" | "evaluationContexts" | "runtime"> & {
  readonly onlySurveyFlags: boolean
}

type OpenLists = Map<EvaluationRuntime | null, readonly CompiledFlag[]>

/** Lists that most requests are about, by where the caller runs. */
const openLists = new WeakMap<CompiledRules, OpenLists>()

/**
 * The flags a request is about, in dependency order (`docs/contract/flags.md#considered-flags`). Flags left out count
 * as off for the others; named flags bring what they depend on along. Requests that leave out nothing, or only flags of
 * another runtime, get the same list each time.
 */
export function considerFlags(rules: CompiledRules, selection: FlagSelection): readonly CompiledFlag[] {
  const { flagKeys, evaluationContexts, runtime, onlySurveyFlags } = selection
  const open =
    onlySurveyFlags || evaluationContexts.length > 0
      ? openFlags(rules, selection)
      : usualList(rules, runtime, selection)
  if (flagKeys === null) return open
  const wanted = withDependencies(rules, open, new Set(flagKeys))
  return open.filter((flag) => wanted.has(flag.position))
}

function usualList(
  rules: CompiledRules,
  runtime: EvaluationRuntime | null,
  selection: FlagSelection,
): readonly CompiledFlag[] {
  const lists: OpenLists = openLists.get(rules) ?? new Map()
  let list = lists.get(runtime)
  if (list === undefined) {
    list = openFlags(rules, selection)
    if (list !== rules.flags) planFlags(list)
    openLists.set(rules, lists.set(runtime, list))
  }
  return list
}

function openFlags(rules: CompiledRules, selection: FlagSelection): readonly CompiledFlag[] {
  const { evaluationContexts, runtime, onlySurveyFlags } = selection
  const isOpenTo = (flag: CompiledFlag): boolean =>
    (!onlySurveyFlags || flag.key.startsWith(SURVEY_FLAG_PREFIX)) &&
    (flag.evaluationRuntime === "all" || runtime === "all" || flag.evaluationRuntime === runtime) &&
    (evaluationContexts.length === 0 ||
      flag.evaluationContexts.length === 0 ||
      flag.evaluationContexts.some((context) => evaluationContexts.includes(context)))
  return rules.flags.every(isOpenTo) ? rules.flags : rules.flags.filter(isOpenTo)
}

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
