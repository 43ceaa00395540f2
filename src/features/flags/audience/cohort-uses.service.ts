import { findFlagsUsingCohort } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { type Cohort, findCohortsNaming } from "../../cohorts/index.js"
import type { Flag, FlagStore } from "../flags.types.js"

/** What asks for one cohort. */
export interface CohortUse {
  readonly cohortId: number
  readonly featureFlags: readonly Flag[]
  readonly cohorts: readonly Cohort[]
}

/** Makes the use case that tells what asks for cohorts, many at once. */
export function createCohortUses(
  flags: Pick<FlagStore, "listAll">,
  cohorts: { listAll(projectId: ProjectId): Promise<readonly Cohort[]> },
) {
  return async (projectId: ProjectId, cohortIds: readonly number[]): Promise<CohortUse[]> => {
    const [allFlags, allCohorts] = await Promise.all([flags.listAll(projectId), cohorts.listAll(projectId)])
    return cohortIds.map((cohortId) => {
      const keys = new Set(findFlagsUsingCohort(allFlags, allCohorts, cohortId))
      return {
        cohortId,
        featureFlags: allFlags.filter(({ key }) => keys.has(key)),
        cohorts: findCohortsNaming(cohortId, allCohorts),
      }
    })
  }
}
