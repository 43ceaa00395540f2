import type { ProjectId } from "../../../kernel/ids.js"
import { type Stream, streamUntilLeft } from "../../../kernel/stream-until-left.js"
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
 * Follows a project's rules: the present revision first, then each later one. Changes that come faster than they are
 * taken are joined. Ends by itself when nobody knows the project's rules.
 */
export function watchRules(
  rules: Pick<FlagRulesService, "rulesFor" | "onChange">,
  projectId: ProjectId,
): Stream<RulesRevision> {
  let wake = (): void => undefined
  let hasChanged = true
  let hasLeft = false
  const stopListening = rules.onChange((changedId) => {
    if (changedId !== projectId) return
    hasChanged = true
    wake()
  })

  async function* read(): AsyncGenerator<RulesRevision> {
    let shownVersion = -1
    while (!hasLeft) {
      if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve))
      hasChanged = false
      const compiled = hasLeft ? null : await rules.rulesFor(projectId)
      if (compiled === null) return
      const { version } = compiled.document
      if (version <= shownVersion) continue
      shownVersion = version
      yield { revision: revisionOf(compiled.document, false), version }
    }
  }

  return streamUntilLeft(read(), async () => {
    hasLeft = true
    stopListening()
    wake()
  })
}
