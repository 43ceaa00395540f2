import type { CompiledRules, RuleCompiler } from "../../../flag-engine/index.js"
import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import type { RuleFreshness } from "../flags.types.js"
import { createAttempt } from "./attempt.js"
import { createConfirmedTime } from "./confirmed-time.js"
import { createRuleFinder, type RuleSources } from "./find-rules.js"
import { createRulesInMemory } from "./rules-in-memory.js"
import { createSharedRuns } from "./shared-runs.js"

const CHANNEL = "flag-rules"

/** A project's rules: in memory on the hot path, fresh within moments of a change, there even when every store is away. */
export interface FlagRulesService {
  /** At once when the rules are in memory, else a promise; null when nobody knows the project. */
  rulesFor(projectId: ProjectId): CompiledRules | Promise<CompiledRules | null>
  /** After a committed change: builds the rules again and hands them to every process. Never rejects. */
  changed(projectId: ProjectId): Promise<void>
  /** Of a project that there is not any more. */
  forget(projectId: ProjectId): Promise<void>
  /** Hands on what a crash kept back and catches up on lost messages. At start and every few seconds. Never rejects. */
  publishOutbox(): Promise<void>
  freshness(): RuleFreshness
  /** Calls `listener` whenever the rules of a project in memory were replaced. Returns how to stop that. */
  onChange(listener: (projectId: ProjectId) => void): () => void
  /** Begins listening to other processes. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface FlagRulesDependencies extends RuleSources {
  readonly compiler: RuleCompiler
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

/** Keeps in memory the rules of projects that were asked for, current as changes are made here or told by others. */
export function createFlagRulesService(dependencies: FlagRulesDependencies): FlagRulesService {
  const { source, cache, snapshots, compiler, pubSub, clock, logger } = dependencies
  const attempt = createAttempt(logger)
  const memory = createRulesInMemory(compiler, (document) => {
    void attempt("write a snapshot of flag rules", () => snapshots.write(document))
  })
  const finder = createRuleFinder(dependencies, memory, attempt)
  const confirmedTime = createConfirmedTime(snapshots, clock, attempt)
  const loading = new Map<ProjectId, Promise<CompiledRules | null>>()
  let unsubscribe: () => Promise<void> = async () => undefined

  const rebuild = createSharedRuns(async (projectId: ProjectId): Promise<void> => {
    const document = await finder.build(projectId)
    if (document === null) return
    await memory.put(document)
    await cache.set(document)
    await pubSub.publish(CHANNEL, { projectId, version: document.version })
    await source.markPublished(projectId, document.version)
  })

  /** Takes over a version that was made elsewhere, if the project's rules are in memory at all. */
  const catchUp = async (projectId: ProjectId, version: number): Promise<void> => {
    const present = memory.get(projectId)
    if (present === undefined || present.document.version >= version) return
    const cached = await finder.cached(projectId)
    const document = cached !== null && cached.version >= version ? cached : await finder.build(projectId)
    if (document !== null) await memory.put(document)
  }

  const sweep = async (): Promise<void> => {
    for (const projectId of await source.unpublished())
      await attempt("hand on changed flag rules", () => rebuild(projectId))
    let isBehind = false
    for (const [projectId, version] of await source.versions(memory.projectIds())) {
      const caughtUp = await attempt("catch up on changed flag rules", async () => {
        await catchUp(projectId, version)
        return true
      })
      isBehind ||= caughtUp === null
    }
    if (!isBehind) await confirmedTime.confirm()
  }

  const onMessage = (message: Json): void => {
    if (!isJsonObject(message)) return
    const { projectId, version } = message
    if (typeof projectId !== "number" || typeof version !== "number") return
    void attempt("take over changed flag rules", () => catchUp(projectId as ProjectId, version))
  }

  return {
    rulesFor: (projectId) => {
      const present = memory.get(projectId)
      if (present !== undefined) return present
      let underWay = loading.get(projectId)
      if (underWay === undefined) {
        underWay = finder.load(projectId).finally(() => loading.delete(projectId))
        loading.set(projectId, underWay)
      }
      return underWay
    },
    changed: async (projectId) => {
      await attempt("hand on changed flag rules; the next sweep will", () => rebuild(projectId))
    },
    forget: async (projectId) => {
      await cache.delete(projectId)
      memory.delete(projectId)
      await snapshots.delete(projectId)
    },
    publishOutbox: async () => {
      await attempt("sweep flag rule versions", sweep)
    },
    onChange: memory.onChange,
    freshness: () => ({ projects: memory.size, ageSeconds: confirmedTime.ageSeconds() }),
    start: async () => {
      await confirmedTime.start()
      unsubscribe = await pubSub.subscribe(CHANNEL, onMessage)
    },
    close: async () => {
      await unsubscribe()
      memory.clear()
    },
  }
}
