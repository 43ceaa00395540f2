import type { CompiledRules, RuleCompiler, RuleDocument } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { compileCooperatively } from "./compile-cooperatively.js"

/** The rules in force, of projects that were asked for. */
export interface RulesInMemory {
  readonly size: number
  projectIds(): ProjectId[]
  get(projectId: ProjectId): CompiledRules | undefined
  /** Puts the rules of a document in force unless newer ones are, and answers those that are in force then. */
  put(document: RuleDocument): Promise<CompiledRules>
  /** Calls `listener` whenever the rules of a project were replaced. Returns how to stop that. */
  onChange(listener: (projectId: ProjectId) => void): () => void
  delete(projectId: ProjectId): void
  clear(): void
}

/** Makes an empty memory. `keep` is told of each document that came into force. */
export function createRulesInMemory(compiler: RuleCompiler, keep: (document: RuleDocument) => void): RulesInMemory {
  const rulesOf = new Map<ProjectId, CompiledRules>()
  const listeners = new Set<(projectId: ProjectId) => void>()

  /** Rules that are no older than a document; undefined when there are none. */
  const notOlder = ({ projectId, version }: RuleDocument): CompiledRules | undefined => {
    const present = rulesOf.get(projectId)
    return present !== undefined && present.document.version >= version ? present : undefined
  }

  return {
    get size() {
      return rulesOf.size
    },
    projectIds: () => [...rulesOf.keys()],
    get: (projectId) => rulesOf.get(projectId),
    put: async (document) => {
      const { projectId } = document
      // Compiled beside the rules in force, which answer requests until the new ones take their place at once.
      const rules =
        notOlder(document) ?? (await compileCooperatively(compiler, document, rulesOf.get(projectId) ?? null))
      // Another change may have overtaken this one meanwhile.
      const newer = notOlder(document)
      if (newer !== undefined) return newer
      rulesOf.set(projectId, rules)
      for (const listener of listeners) listener(projectId)
      keep(document)
      return rules
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    delete: (projectId) => void rulesOf.delete(projectId),
    clear: () => rulesOf.clear(),
  }
}
