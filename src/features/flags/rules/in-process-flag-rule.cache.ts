import type { RuleDocument } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { FlagRuleCache } from "../flags.types.js"

/** Rule documents within this process: the very ones that its rules are made of, as nobody changes a document. */
export function createInProcessFlagRuleCache(): FlagRuleCache {
  const documents = new Map<ProjectId, RuleDocument>()
  return {
    get: async (projectId) => documents.get(projectId) ?? null,
    set: async (document) => {
      const known = documents.get(document.projectId)
      if (known === undefined || known.version < document.version) documents.set(document.projectId, document)
    },
    delete: async (projectId) => void documents.delete(projectId),
    close: async () => documents.clear(),
  }
}
