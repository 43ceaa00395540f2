import { type CompiledRules, evaluateFlags, selectFlags } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { Cohort, CohortsService } from "../../cohorts/index.js"
import type { FlagService } from "../manage/flag.service.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"
import { type Subject, toPersonFacts } from "./flag-audience.facts.js"
import type { SubjectSamples } from "./subject-samples.store.js"

/** Makes cohorts of the persons that a flag is on for. */
export interface FlagCohorts {
  /**
   * Makes a static cohort of the persons for whom a flag is on now, each decided by one of their ids.
   * @param requireCohortScope rejects for a caller who may not make cohorts; asked once the flag is found.
   * @throws AppError not_found; invalid_input for a flag that is off, or a project with too many persons;
   * store_unavailable.
   */
  create(
    projectId: ProjectId,
    author: UserId,
    flagId: number,
    requireCohortScope: () => Promise<unknown>,
  ): Promise<Cohort>
}

export interface FlagCohortsDependencies {
  readonly flags: Pick<FlagService, "get">
  readonly rules: Pick<FlagRulesService, "rulesFor">
  readonly persons: Pick<SubjectSamples, "personsAfter">
  readonly cohorts: Pick<CohortsService, "create" | "addMembers">
  readonly clock: Clock
}

const BATCH = 1_000
/** More would keep a request waiting for longer than clients do. */
const MAX_PERSONS = 200_000

/** Makes the use case over persons in batches, so that decisions go on between them. */
export function createFlagCohorts({ flags, rules, persons, cohorts, clock }: FlagCohortsDependencies): FlagCohorts {
  return {
    create: async (projectId, author, flagId, requireCohortScope) => {
      const { key, active } = await flags.get(projectId, flagId)
      await requireCohortScope()
      if (!active) throw new AppError("invalid_input", { attr: "id", detail: "The flag is off; nobody has it." })
      const compiled = await rules.rulesFor(projectId)
      if (compiled === null) throw new AppError("store_unavailable", { retryAfterSeconds: 2 })
      const isOnFor = compileTest(compiled, key, clock.now())
      const name = `Users with feature flag ${key} enabled at ${new Date(clock.now()).toISOString()}`
      const members: string[] = []
      let seen = 0
      let batch = await persons.personsAfter(projectId, null, BATCH)
      while (batch.length > 0) {
        seen += batch.length
        if (seen > MAX_PERSONS) throw tooMany()
        members.push(...batch.filter(isOnFor).map((person) => person.key))
        batch = batch.length < BATCH ? [] : await persons.personsAfter(projectId, batch.at(-1)?.id ?? null, BATCH)
      }
      const cohort = await cohorts.create(projectId, author, true, { name })
      for (let from = 0; from < members.length; from += BATCH)
        await cohorts.addMembers(projectId, cohort.id, members.slice(from, from + BATCH))
      return cohort
    },
  }
}

function compileTest(compiled: CompiledRules, key: string, nowMs: number): (person: Subject) => boolean {
  const selection = { flagKeys: [key], evaluationContexts: [], runtime: "all", onlySurveyFlags: false } as const
  const { flags } = selectFlags(compiled, selection)
  return (person) => {
    const results = evaluateFlags(compiled, flags, toPersonFacts(person, nowMs))
    return results.some((result) => result.key === key && result.enabled && result.error === null)
  }
}

const tooMany = (): AppError =>
  new AppError("invalid_input", { attr: "id", detail: `A cohort is made of at most ${MAX_PERSONS} persons.` })
