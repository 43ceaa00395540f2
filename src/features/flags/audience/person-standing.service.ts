import { evaluateFlags, type FlagResult, type RuleCompiler } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { Cohort } from "../../cohorts/index.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { toConditionDocument } from "./condition-document.js"
import { evaluateEvery } from "./evaluate-every.js"
import { type Subject, toPersonFacts } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** What flags and cohorts say of stored persons, many at once; persons that there are not are left out. */
export interface PersonStanding {
  /** Every flag of the project, as for a request that sends nothing but the person's id. @throws store_unavailable. */
  flags(projectId: ProjectId, ids: readonly PersonId[]): Promise<{ id: PersonId; flags: FlagResult[] }[]>
  /** The cohorts that hold the person now, by number. @throws AppError store_unavailable. */
  cohorts(projectId: ProjectId, ids: readonly PersonId[]): Promise<{ id: PersonId; cohorts: Cohort[] }[]>
}

export interface PersonStandingDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly persons: Pick<SubjectSamples, "personsById">
  readonly cohorts: { listAll(projectId: ProjectId): Promise<readonly Cohort[]> }
  readonly compiler: RuleCompiler
  readonly clock: Clock
}

/** Evaluations between two looks at what else there is to do. */
const EVALUATED_AT_ONCE = 5_000

/** Tells it by the rules that decisions are made from; whoever asks leaves no trace. */
export function createPersonStanding(dependencies: PersonStandingDependencies): PersonStanding {
  const { rules, persons, cohorts, compiler, clock } = dependencies

  const requireRules = async (projectId: ProjectId) => {
    const compiled = await rules.rulesFor(projectId)
    if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
    return compiled
  }

  return {
    flags: async (projectId, ids) => {
      const compiled = await requireRules(projectId)
      const nowMs = clock.now()
      const evaluate = (person: Subject) => evaluateEvery(compiled, toPersonFacts(person, nowMs))
      const found = await persons.personsById(projectId, ids)
      return mapSlowly(found, compiled.flags.length, (person) => ({ id: person.id, flags: evaluate(person) }))
    },

    cohorts: async (projectId, ids) => {
      const compiled = await requireRules(projectId)
      const all = await cohorts.listAll(projectId)
      const conditions = all.map(({ id }) => ({
        condition: { properties: [{ type: "cohort", key: "id", value: id }] },
        groupTypeIndex: null,
      }))
      const membership = compiler.compile(toConditionDocument(compiled.document, all, conditions))
      const nowMs = clock.now()
      const findHolding = (person: Subject): Cohort[] =>
        evaluateFlags(membership, membership.flags, toPersonFacts(person, nowMs)).flatMap(({ id, enabled }) =>
          enabled ? (all[id] ?? []) : [],
        )
      const found = await persons.personsById(projectId, ids)
      return mapSlowly(found, all.length, (person) => ({ id: person.id, cohorts: findHolding(person) }))
    },
  }
}

/** Maps items one after the other, and lets others work between them. */
async function mapSlowly<From, To>(items: readonly From[], cost: number, map: (item: From) => To): Promise<To[]> {
  const budget = new YieldBudget(EVALUATED_AT_ONCE)
  const mapped: To[] = []
  for (const item of items) {
    mapped.push(map(item))
    if (budget.spend(cost)) await yieldToEventLoop()
  }
  return mapped
}
