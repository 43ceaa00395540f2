import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { Json } from "../../kernel/json.js"
import type { OffsetWindow, Page } from "../../kernel/paging.js"

/** A named set of persons: listed (static), or described by a tree of conditions (dynamic). */
export interface Cohort {
  readonly id: number
  readonly projectId: ProjectId
  readonly name: string
  readonly description: string
  readonly isStatic: boolean
  /** `{"properties": {"type": "AND" | "OR", "values": […]}}`; null for a static cohort. */
  readonly filters: Json
  readonly deleted: boolean
  readonly createdAt: Date
  readonly createdById: UserId | null
}

/** A cohort to be stored. */
export type NewCohort = Omit<Cohort, "id">
/** What changes of a cohort; an absent field stays. */
export type CohortChanges = Partial<Pick<Cohort, "name" | "description" | "filters" | "deleted">>

/** Who changes a cohort, and when. */
export interface CohortEdit {
  readonly userId: UserId
  readonly at: Date
}

/** Conditions of a list; all given ones must hold. */
export interface CohortFilter {
  /** Part of the name, any case. */
  readonly search?: string
  readonly isStatic?: boolean
  readonly createdById?: number
}

/** Where cohorts and the members of static ones live. Every call is bounded to one project. */
export interface CohortRepository {
  /** Cohorts that are not deleted, newest first. */
  list(projectId: ProjectId, filter: CohortFilter, window: OffsetWindow): Promise<Page<Cohort>>
  /** Every cohort that is not deleted. */
  all(projectId: ProjectId): Promise<Cohort[]>
  /** Deleted cohorts are found too. */
  find(projectId: ProjectId, id: number): Promise<Cohort | null>
  /** Kept in the audit log, as every change is. Null as for `update`. */
  insert(cohort: NewCohort, rulesVersion: number): Promise<Cohort | null>
  /** Null when the rules no longer have the version at which the change was checked against other cohorts and flags. */
  update(
    projectId: ProjectId,
    id: number,
    changes: CohortChanges,
    by: CohortEdit,
    rulesVersion: number,
  ): Promise<Cohort | null>
  /** Grows with every change of the project's flags, cohorts and group types. */
  rulesVersion(projectId: ProjectId): Promise<number>
  /** Adds the persons behind distinct ids; ids nobody has are passed over. Answers how many persons there are now. */
  addMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number>
  removeMembers(projectId: ProjectId, id: number, distinctIds: readonly string[]): Promise<number>
}
