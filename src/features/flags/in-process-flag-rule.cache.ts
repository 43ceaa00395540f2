import type { ProjectId } from "../../kernel/ids.js"
import type { FlagRuleCache } from "./flags.types.js"

/** Rule documents within this process. Kept as text, so that nobody shares an object with the cache. */
export function createInProcessFlagRuleCache(): FlagRuleCache {
  const documents = new Map<ProjectId, { version: number; text: string }>()
  return {
    get: async (projectId) => {
      const known = documents.get(projectId)
      return known === undefined ? null : JSON.parse(known.text)
    },
    set: async (document) => {
      const known = documents.get(document.projectId)
      if (known !== undefined && known.version >= document.version) return
      documents.set(document.projectId, { version: document.version, text: JSON.stringify(document) })
    },
    close: async () => documents.clear(),
  }
}
