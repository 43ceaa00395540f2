import { evaluateFlags, type FlagResult, type RuleCompiler } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { PersonId, ProjectId } from "../../../kernel/ids.js"
import { YieldBudget, yieldToEventLoop } from "../../../kernel/yield-to-event-loop.js"
import type { Cohort } from "../../cohorts/index.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { findUndecidable } from "../validate/check-filter.js"
import { toConditionDocument } from "./condition-document.js"
import { evaluateEvery } from "./evaluate-every.js"
import { type Subject, toPersonFacts } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** What flags and cohorts say of stored persons, many at once; persons that there are not are left out. */
export interface PersonTargeting {
  /** Every flag of the project, as for a request that sends nothing but the person's id. @throws store_unavailable. */
  flags(projectId: ProjectId, ids: readonly PersonId[]): Promise<{ id: PersonId; flags: FlagResult[] }[]>
  /** The cohorts that hold the person now, by number. @throws AppError store_unavailable. */
  cohorts(projectId: ProjectId, ids: readonly PersonId[]): Promise<{ id: PersonId; cohorts: Cohort[] }[]>
}

/** Numbers of those of the cohorts that hold a person, by person. @throws AppError for one that queries cannot use. */
export type ListHolding = (
  projectId: ProjectId,
  cohortIds: readonly number[],
  ids: readonly PersonId[],
) => Promise<ReadonlyMap<PersonId, ReadonlySet<number>>>

export interface PersonTargetingDependencies {
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly persons: Pick<SubjectSamples, "personsById">
  readonly cohorts: { listAll(projectId: ProjectId): Promise<readonly Cohort[]> }
  /** Which cohorts hold which persons as queries see it, for those that the rules of flags cannot decide. */
  readonly listHolding: ListHolding
  readonly compiler: RuleCompiler
  readonly clock: Clock
}

/** Evaluations between two looks at what else there is to do. */
const EVALUATED_AT_ONCE = 5_000

/**
 * Tells it by the rules that decisions are made from, and by a query where cohorts ask for more than these know; whoever
 * asks leaves no trace.
 */
export function createPersonTargeting(dependencies: PersonTargetingDependencies): PersonTargeting {
  const { rules, persons, cohorts, listHolding, compiler, clock } = dependencies

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
      const byId = new Map(all.map((cohort) => [cohort.id, cohort]))
      const [asked, decided] = divide(all, ({ id }) => findUndecidable(id, byId) !== null)
      const conditions = decided.map(({ id }) => ({
        condition: { properties: [{ type: "cohort", key: "id", value: id }] },
        groupTypeIndex: null,
      }))
      const membership = compiler.compile(toConditionDocument(compiled.document, all, conditions))
      const nowMs = clock.now()
      const [found, holding] = await Promise.all([
        persons.personsById(projectId, ids),
        listHolding(
          projectId,
          asked.map(({ id }) => id),
          ids,
        ),
      ])
      const findHolding = (person: Subject & { readonly id: PersonId }): Cohort[] => {
        const results = evaluateFlags(membership, membership.flags, toPersonFacts(person, nowMs))
        const held = results.flatMap(({ id, enabled }) => (enabled ? (decided[id] ?? []) : []))
        return [...held, ...asked.filter(({ id }) => holding.get(person.id)?.has(id))].sort((a, b) => a.id - b.id)
      }
      return mapSlowly(found, all.length, (person) => ({ id: person.id, cohorts: findHolding(person) }))
    },
  }
}

/** Those that a test holds for, and the others. */
const divide = <Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(test),
  items.filter((item) => !test(item)),
]

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
