import { buildRules, type CompiledRules, RULE_DOCUMENT_FORMAT, type RuleDocument } from "../../../flag-engine/index.js"
import type { ProjectId } from "../../../kernel/ids.js"
import type { FlagRuleCache, RuleSnapshots, RuleSourceStore } from "../flags.types.js"
import { withinBudget } from "../within-budget.js"
import type { Attempt } from "./attempt.js"
import type { RulesInMemory } from "./rules-in-memory.js"

/** With a snapshot at hand, how long the first request for a project waits for PostgreSQL. */
const PATIENCE_MS = 1_000

/** Where rules are found, best first: the shared cache, PostgreSQL, the snapshots of this machine. */
export interface RuleSources {
  readonly source: RuleSourceStore
  readonly cache: FlagRuleCache
  readonly snapshots: RuleSnapshots
}

/** Finds the rules of projects outside the memory of this process. */
export interface RuleFinder {
  /** As PostgreSQL has them now; null when there is no such project. Rejects when it cannot be read. */
  build(projectId: ProjectId): Promise<RuleDocument | null>
  /** From the cache if it has any of today's format. Never rejects. */
  cached(projectId: ProjectId): Promise<RuleDocument | null>
  /**
   * Puts the rules of a project in force that has none in memory: from the cache, else from PostgreSQL, else from the
   * snapshot on disk. Null when nobody knows the project.
   */
  load(projectId: ProjectId): Promise<CompiledRules | null>
}

/** Makes a finder that puts what it finds into `memory`. */
export function createRuleFinder(sources: RuleSources, memory: RulesInMemory, attempt: Attempt): RuleFinder {
  const { source, cache, snapshots } = sources

  const build = async (projectId: ProjectId): Promise<RuleDocument | null> => {
    const found = await source.load(projectId)
    return found === null ? null : buildRules(found, memory.get(projectId)?.document ?? null)
  }

  const cached = async (projectId: ProjectId): Promise<RuleDocument | null> => {
    const document = await attempt("read flag rules from the cache", () => cache.get(projectId))
    return document?.format === RULE_DOCUMENT_FORMAT ? document : null
  }

  const load = async (projectId: ProjectId): Promise<CompiledRules | null> => {
    const atHand = await cached(projectId)
    if (atHand !== null) return memory.put(atHand)
    const building = attempt("read flags from PostgreSQL", () => build(projectId))
    const inTime = await withinBudget(building, PATIENCE_MS)
    if (!inTime.ok || inTime.value === null) {
      const kept = await attempt("read a snapshot of flag rules", () => snapshots.read(projectId))
      if (kept !== null) return memory.put(kept)
    }
    const built = await building
    if (built === null) return null
    void attempt("write flag rules to the cache", () => cache.set(built))
    return memory.put(built)
  }

  return { build, cached, load }
}
