import type { ProjectId, UserId } from "../../../kernel/ids.js"
import type { SavedInput, SavedType } from "./saved.graphql.js"

/** What insights and dashboards have in common. */
export interface Saved extends Readonly<SavedType> {
  readonly id: number
  readonly projectId: ProjectId
  readonly createdById: UserId | null
  readonly lastModifiedById: UserId | null
}

/** What a caller writes of either; an absent field stays as it is. */
export type SavedRequest = Readonly<SavedInput>

/** What is stored of a request. */
export type SavedChanges = Partial<Pick<Saved, "name" | "description" | "tags" | "deleted">>

/** Conditions of a list; all given ones must hold. */
export interface SavedFilter {
  /** Part of name or description, any case. */
  readonly search?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly createdBy?: UserId | undefined
  /** Only favourites of this user. */
  readonly favouriteOf?: UserId | undefined
}

/** Kinds of what is saved, by their names in the audit log. */
export type SavedKind = "Insight" | "Dashboard"

/** Who changes something, and whether it becomes a favourite of theirs; unless said, that stays as it is. */
export interface SavedBy {
  readonly userId: UserId
  readonly at: Date
  readonly isFavourite?: boolean | undefined
}
