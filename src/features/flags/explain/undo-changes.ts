import type { StoredFlag } from "../../../flag-engine/index.js"
import { isJsonObject } from "../../../kernel/json.js"
import { AUDITED } from "../manage/list-flag-changes.js"
import type { LoggedChange } from "./flag-changes-since.store.js"

/**
 * Flags as they were before changes: one that did not exist, or was deleted, is left out.
 * @param flags those that are not deleted now; those that have been since are not known any more
 * @param changes newest first, up to now
 * @returns null when an entry does not say what was before it, as those of earlier releases do not
 */
export function undoChanges(flags: readonly StoredFlag[], changes: readonly LoggedChange[]): StoredFlag[] | null {
  const former = new Map<number, StoredFlag & { readonly deleted?: boolean }>(flags.map((flag) => [flag.id, flag]))
  for (const { flagId, isCreation, changes: fields } of changes) {
    const flag = former.get(flagId)
    if (flag === undefined) continue
    if (isCreation) {
      former.delete(flagId)
      continue
    }
    if (!Array.isArray(fields)) return null
    const before: Record<string, unknown> = {}
    for (const field of fields) {
      if (!isJsonObject(field) || field.before === undefined) return null
      const property = AUDITED[String(field.field)]
      if (property !== undefined) before[property] = field.before
    }
    former.set(flagId, { ...flag, ...before })
  }
  return [...former.values()].filter(({ deleted }) => deleted !== true)
}
