import type { FlagNames, StoredCohort } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"

/** What a definition may refer to. */
export interface DefinitionContext {
  readonly cohorts: ReadonlyMap<number, StoredCohort>
  /** The project's other flags that are not deleted. */
  readonly flags: FlagNames
}

/** The way to a field of a definition: names and places in lists. */
export type FieldPath = readonly (string | number)[]

/**
 * A refusal naming the exact field: `filters__groups__0__rollout_percentage`
 * (`docs/contract/management.md#error-body`).
 */
export const refuse = (path: FieldPath, rule: string): AppError =>
  new AppError("invalid_input", { attr: path.join("__"), detail: `${path.join(".")} ${rule}.` })
