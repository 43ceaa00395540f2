import type { ProjectId } from "../../../kernel/ids.js"
import { revisionOf } from "../present/definitions.js"
import type { FlagRulesService } from "../rules/flag-rules.service.js"

/** The rules of a project have this revision now. */
export interface RulesRevision {
  /** The revision of `flagDefinitions` without cohorts. */
  readonly revision: string
  /** Grows with every change. */
  readonly version: number
}

/**
 * Follows a project's rules: the present revision first, then each later one. Changes that come faster than they are taken
 * are joined. `return()` ends a pending `next()` at once. Ends by itself when nobody knows the project's rules.
 */
export function watchRules(
  rules: Pick<FlagRulesService, "rulesFor" | "onChange">,
  projectId: ProjectId,
): AsyncIterableIterator<RulesRevision> {
  let wake: () => void = () => undefined
  let hasChanged = true
  let hasEnded = false
  let shownVersion = -1
  const stopListening = rules.onChange((changedId) => {
    if (changedId !== projectId) return
    hasChanged = true
    wake()
  })

  const end = async (): Promise<IteratorResult<RulesRevision>> => {
    hasEnded = true
    stopListening()
    wake()
    return { done: true, value: undefined }
  }

  const nextChange = async (): Promise<void> => {
    if (!hasChanged && !hasEnded)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    hasChanged = false
  }

  return {
    next: async () => {
      while (!hasEnded) {
        await nextChange()
        if (hasEnded) break
        const compiled = await rules.rulesFor(projectId)
        if (compiled === null) break
        const { version } = compiled.document
        if (version <= shownVersion) continue
        shownVersion = version
        return { done: false, value: { revision: revisionOf(compiled.document, false), version } }
      }
      return end()
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
