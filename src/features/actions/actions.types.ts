import type { ProjectId, UserId } from "../../kernel/ids.js"
import type { ActionInput, ActionListArgs, ActionType } from "./actions.graphql.js"

/** A name for the events that match any of some descriptions, its steps. */
export interface Action extends Readonly<ActionType> {
  readonly projectId: ProjectId
  readonly createdById: UserId | null
}

/** What a caller may write of an action; an absent field stays as it is. */
export type ActionRequest = Readonly<ActionInput>

/** What is stored of a request. */
export type ActionChanges = Partial<Pick<Action, "name" | "description" | "steps" | "deleted">>

/** Conditions of a list; all given ones must hold. */
export type ActionFilter = Readonly<Pick<ActionListArgs, "search">>
