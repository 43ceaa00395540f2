import { matchesDependencyValue } from "../definition/flag-reference.js"
import type { Filter } from "../definition/read-definition.js"
import type { EvaluationScope, FlagValue, ScopeTest } from "../evaluation.types.js"
import { compileOperator } from "../operators/operators.js"
import { type CohortTests, compileCohortFilter } from "./cohort.js"
import { HOLDS_FOR_NOBODY, personFilter } from "./person-filter.js"
import { groupOf, groupProperty } from "./property-lookup.js"

/** Tests made so far, by what they are made from: many flags of a project ask the same. */
export type SharedTests = Map<string, ScopeTest>

/** What compiling a project's flags needs to know besides the flag. */
export interface CompileContext {
  /** IANA name of the project's time zone. */
  readonly timeZone: string
  readonly cohorts: CohortTests
  readonly sharedTests: SharedTests
  /** Position of another flag's result, by the reference a dependency filter holds; undefined when there is none. */
  readonly positionOfFlag: (filter: Filter) => number | undefined
}

/**
 * Makes the test of one filter of a release condition, which flags with the same filter share; `groupTypeIndex` is the
 * condition's, null for persons.
 */
export function compileFilter(filter: Filter, groupTypeIndex: number | null, context: CompileContext): ScopeTest {
  // Not kept: what another flag came to is known already.
  if (filter.type === "flag") return flagFilter(filter, context)
  const madeFrom = JSON.stringify([groupTypeIndex, filter])
  const shared = context.sharedTests.get(madeFrom) ?? oncePerTurn(compileAlone(filter, groupTypeIndex, context))
  context.sharedTests.set(madeFrom, shared)
  return shared
}

/** Runs a test once per evaluation. An answer that came with a fault is not kept. */
function oncePerTurn(test: ScopeTest): ScopeTest {
  if (test === HOLDS_FOR_NOBODY) return test
  let turn = 0
  let holds = false
  return (scope) => {
    if (turn === scope.turn) return holds
    const answer = test(scope)
    if (scope.fault !== null) return answer
    turn = scope.turn
    holds = answer
    return answer
  }
}

function compileAlone(filter: Filter, groupTypeIndex: number | null, context: CompileContext): ScopeTest {
  switch (filter.type) {
    case "person":
      return personFilter(filter, context.timeZone)
    case "group":
      return groupFilter(filter, filter.groupTypeIndex ?? groupTypeIndex, context.timeZone)
    case "cohort":
      return compileCohortFilter(filter, context.cohorts)
    case "person_metadata":
      return metadataFilter(filter, context.timeZone)
    default:
      return HOLDS_FOR_NOBODY
  }
}

/** A group that was not sent fails closed, whatever the operator; one that is not stored has no properties. */
function groupFilter(filter: Filter, groupTypeIndex: number | null, timeZone: string): ScopeTest {
  if (groupTypeIndex === null) return HOLDS_FOR_NOBODY
  const test = compileOperator(filter.operator, filter.value, timeZone)
  return (scope) => {
    const group = groupOf(scope, groupTypeIndex)
    return group !== undefined && test(groupProperty(scope, group, filter.key), scope.facts.nowMs)
  }
}

function metadataFilter(filter: Filter, timeZone: string): ScopeTest {
  if (filter.key !== "created_at") return HOLDS_FOR_NOBODY
  const test = compileOperator(filter.operator, filter.value, timeZone)
  return (scope) => {
    const { person, personCreatedAt, nowMs } = scope.facts
    if (personCreatedAt === null && person.unavailable !== null) scope.fault ??= person.unavailable
    return test(personCreatedAt ?? undefined, nowMs)
  }
}

function flagFilter(filter: Filter, context: CompileContext): ScopeTest {
  const position = context.positionOfFlag(filter)
  if (filter.operator !== "flag_evaluates_to" || position === undefined) return HOLDS_FOR_NOBODY
  return (scope) => matchesDependencyValue(filter.value, valueAt(scope, position))
}

/** A flag that was filtered out of the request counts as off; one that failed makes its dependants fail. */
function valueAt(scope: EvaluationScope, position: number): FlagValue {
  const result = scope.results[position]
  if (result === undefined) return false
  if (result.error !== null) scope.fault ??= result.error
  return result.variant ?? result.enabled
}
