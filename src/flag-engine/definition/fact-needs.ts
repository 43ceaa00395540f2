import type { JsonObject } from "../../kernel/json.js"
import { type FlagDefinition, tryReadFlagDefinition } from "./read-definition.js"
import type { FactNeeds, StoredCohort, StoredFlag } from "./rule-document.types.js"
import { listCohortLeaves, listFilters, readCohortId } from "./stored-filters.js"

const INITIAL_PREFIX = "$initial_"

const NO_NEEDS: FactNeeds = {
  personProperties: [],
  groupProperties: [],
  personCreatedAt: false,
  staticCohorts: false,
  hashKeys: false,
}

/** Lists the facts that a flag's definition, and the cohorts it names, may ask for. */
export function listFactNeeds(flag: StoredFlag, cohorts: ReadonlyMap<number, StoredCohort>): FactNeeds {
  const definition = tryReadFlagDefinition(flag.filters)
  if (definition === null) return NO_NEEDS
  const cohortIds = findReachedCohorts(listFilters(flag.filters), cohorts)
  const leaves = [...cohortIds].flatMap((id) => listCohortLeaves(cohorts.get(id)?.filters ?? null))
  const filters = [...definition.conditions, ...(definition.superCondition ? [definition.superCondition] : [])].flatMap(
    (condition) =>
      condition.filters.map((filter) => ({
        ...filter,
        groupTypeIndex: filter.groupTypeIndex ?? condition.groupTypeIndex,
      })),
  )
  const personKeys = filters.filter((filter) => filter.type === "person").map((filter) => filter.key)
  const leafKeys = leaves.filter((leaf) => leaf.type === "person" || leaf.type == null).map((leaf) => String(leaf.key))
  const enrolment = definition.featureEnrollment ? [`$feature_enrollment/${flag.key}`] : []
  return {
    personProperties: [...new Set([...personKeys, ...leafKeys, ...enrolment].flatMap(listPropertyCandidates))].filter(
      (key) => key !== "distinct_id",
    ),
    groupProperties: groupNeeds(filters),
    personCreatedAt: filters.some((filter) => filter.type === "person_metadata"),
    staticCohorts: [...cohortIds].some((id) => cohorts.get(id)?.isStatic === true),
    hashKeys:
      flag.ensureExperienceContinuity && flag.bucketingIdentifier === "distinct_id" && hashesPersons(definition),
  }
}

/** Stored names that can answer for a person property, best first: `$initial_x` falls back to `$x`, then `x`. */
export function listPropertyCandidates(key: string): readonly string[] {
  if (!key.startsWith(INITIAL_PREFIX)) return [key]
  const current = key.slice(INITIAL_PREFIX.length)
  return [key, `$${current}`, current]
}

/** Ids of the cohorts that filters name, directly or through other cohorts. */
export function findReachedCohorts(
  filters: readonly JsonObject[],
  cohorts: ReadonlyMap<number, StoredCohort>,
): Set<number> {
  const reached = new Set<number>()
  const pending = [...filters]
  for (let filter = pending.pop(); filter !== undefined; filter = pending.pop()) {
    const id = filter.type === "cohort" ? readCohortId(filter.value) : null
    if (id === null || reached.has(id)) continue
    reached.add(id)
    for (const leaf of listCohortLeaves(cohorts.get(id)?.filters ?? null)) pending.push(leaf)
  }
  return reached
}

/** Keys of the flags that ask for a cohort, directly or through another one. */
export function findFlagsUsingCohort(
  flags: readonly Pick<StoredFlag, "key" | "filters">[],
  cohorts: readonly StoredCohort[],
  cohortId: number,
): string[] {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]))
  return flags
    .filter(({ filters }) => findReachedCohorts(listFilters(filters), byId).has(cohortId))
    .map(({ key }) => key)
}

/** Whether some person's hash can change the answer: a partial rollout, or variants chosen by hash. */
function hashesPersons({ conditions, variants, superCondition }: FlagDefinition): boolean {
  const aboutPersons = [...conditions, ...(superCondition ? [superCondition] : [])].filter(
    (condition) => condition.groupTypeIndex === null,
  )
  const declared = new Set(variants.map((variant) => variant.key))
  return aboutPersons.some(
    ({ rolloutPercentage, variant }) =>
      rolloutPercentage < 100 || (declared.size > 0 && (variant === null || !declared.has(variant))),
  )
}

function groupNeeds(
  filters: readonly { type: string; key: string; groupTypeIndex: number | null }[],
): FactNeeds["groupProperties"] {
  const byIndex = new Map<number, Set<string>>()
  for (const { type, key, groupTypeIndex } of filters) {
    if (type !== "group" || groupTypeIndex === null) continue
    byIndex.set(groupTypeIndex, (byIndex.get(groupTypeIndex) ?? new Set()).add(key))
  }
  return [...byIndex].map(([groupTypeIndex, keys]) => ({ groupTypeIndex, keys: [...keys] }))
}
