import { buildRules, type CompiledRules, type RuleCompiler } from "../../../flag-engine/index.js"
import { AppError } from "../../../kernel/errors.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { RuleSourceStore } from "../flags.types.js"
import type { FlagChangesSince } from "./flag-changes-since.store.js"
import { undoChanges } from "./undo-changes.js"

/**
 * Finds a project's rules as they were at a moment: its flags with all changes undone since then, over the cohorts and group
 * types of now, which no log has whole.
 */
export type FindFormerRules = (projectId: ProjectId, at: Date) => Promise<CompiledRules>

export interface FormerRulesDependencies {
  readonly source: Pick<RuleSourceStore, "load">
  readonly changes: FlagChangesSince
  readonly compiler: RuleCompiler
}

/** The function throws AppError not_found, store_unavailable, and invalid_input for a moment that is not known any more. */
export function createFormerRules({ source, changes, compiler }: FormerRulesDependencies): FindFormerRules {
  return async (projectId, at) => {
    // The flags first: undoing a change that came between the two readings leaves them as they were read.
    const present = await source.load(projectId)
    if (present === null) throw new AppError("not_found")
    const logged = await changes.list(projectId, at)
    const flags = logged && undoChanges(present.flags, logged)
    if (flags === null) throw new AppError("invalid_input", { attr: "at", detail: UNKNOWN })
    return compiler.compile(buildRules({ ...present, flags }))
  }
}

const UNKNOWN =
  "Flags were changed since then by more than 10,000 changes, or by a release that did not log all of them."
