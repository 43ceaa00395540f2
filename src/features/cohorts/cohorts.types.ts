import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { CohortInput, CohortListArgs, CohortType } from "./cohorts.graphql.js"

/** A named set of persons: listed (static), or described by a tree of conditions (dynamic). */
export interface Cohort extends Readonly<CohortType> {
  readonly projectId: ProjectId
  readonly createdById: UserId | null
}

/** What a caller may write of a cohort; an absent field stays as it is. */
export type CohortRequest = Readonly<CohortInput>

/** A cohort to be stored. */
export type NewCohort = Omit<Cohort, "id" | "createdById">
/** What changes of a cohort; an absent field stays. */
export type CohortChanges = Partial<Pick<Cohort, "name" | "description" | "filters" | "deleted">>

/** Conditions of a list; all given ones must hold. */
export type CohortFilter = Readonly<Pick<CohortListArgs, "search" | "isStatic" | "createdById">>
