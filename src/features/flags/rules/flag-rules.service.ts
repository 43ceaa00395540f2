import type { Clock } from "../../../kernel/clock.js"
import type { ProjectId } from "../../../kernel/ids.js"
import { isJsonObject, type Json } from "../../../kernel/json.js"
import type { Logger } from "../../../platform/logger/logger.js"
import type { PubSub } from "../../../platform/pubsub/pub-sub.js"
import { buildRules } from "../compile/build-rules.js"
import type { CompiledRules } from "../compile/compile-rules.js"
import { RULE_DOCUMENT_FORMAT, type RuleDocument } from "../compile/rule-document.types.js"
import { withinBudget } from "../decide/fact-budget.js"
import type { FlagRuleCache, RuleFreshness, RuleSnapshots, RuleSourceRepository } from "../flags.types.js"
import { compileInTurns } from "./compile-in-turns.js"
import { createSharedRuns } from "./shared-runs.js"

const CHANNEL = "flag-rules"

/** A project's rules: in memory on the hot path, fresh within moments of a change, there even when every store is away. */
export interface FlagRulesService {
  /** At once when the rules are in memory, else a promise; null when nobody knows the project. */
  rulesFor(projectId: ProjectId): CompiledRules | Promise<CompiledRules | null>
  /** After a committed change: builds the rules again and hands them to every process. Never rejects. */
  changed(projectId: ProjectId): Promise<void>
  /** Hands on what a crash kept back and catches up on lost messages. At start and every few seconds. Never rejects. */
  healOutbox(): Promise<void>
  freshness(): RuleFreshness
  /** Calls `listener` whenever the rules of a project in memory were replaced. Returns how to stop that. */
  onChange(listener: (projectId: ProjectId) => void): () => void
  /** Begins listening to other processes. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface FlagRulesDependencies {
  readonly source: RuleSourceRepository
  readonly cache: FlagRuleCache
  readonly snapshots: RuleSnapshots
  readonly pubSub: PubSub
  readonly clock: Clock
  readonly logger: Logger
}

/** With a snapshot at hand, how long the first request for a project waits for PostgreSQL. */
const PATIENCE_MS = 1_000
/** How often it is written down that the rules are current; a restart without stores shows an age that much too high. */
const NOTE_EVERY_MS = 10_000

/** Keeps in memory the rules of projects that were asked for, current as changes are made here or told by others. */
export function createFlagRulesService(dependencies: FlagRulesDependencies): FlagRulesService {
  const { source, cache, snapshots, pubSub, clock, logger } = dependencies
  const inMemory = new Map<ProjectId, CompiledRules>()
  const loading = new Map<ProjectId, Promise<CompiledRules | null>>()
  let unsubscribe: () => Promise<void> = async () => undefined
  const listeners = new Set<(projectId: ProjectId) => void>()
  let confirmedAtMs: number | null = null
  let notedAtMs = 0

  const confirm = async (): Promise<void> => {
    confirmedAtMs = clock.now()
    if (confirmedAtMs < notedAtMs + NOTE_EVERY_MS) return
    notedAtMs = confirmedAtMs
    await snapshots.writeConfirmedAt(confirmedAtMs)
  }

  /** Rules in memory that are no older than a document; undefined when there are none. */
  const notOlder = ({ projectId, version }: RuleDocument): CompiledRules | undefined => {
    const present = inMemory.get(projectId)
    return present !== undefined && present.document.version >= version ? present : undefined
  }

  /** Compiles beside the rules in force and puts the new ones in their place at once. */
  const swap = async (document: RuleDocument): Promise<CompiledRules> => {
    const rules = notOlder(document) ?? (await compileInTurns(document, inMemory.get(document.projectId) ?? null))
    // Another change may have overtaken this one between the turns.
    const newer = notOlder(document)
    if (newer !== undefined) return newer
    inMemory.set(document.projectId, rules)
    for (const listener of listeners) listener(document.projectId)
    void attempt("write a snapshot of flag rules", () => snapshots.write(document))
    return rules
  }

  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (err) {
      logger.warn(`could not ${what}`, { err })
      return null
    }
  }

  const succeeds = async (what: string, work: () => Promise<void>): Promise<boolean> =>
    (await attempt(what, async () => {
      await work()
      return true
    })) === true

  const build = async (projectId: ProjectId): Promise<RuleDocument | null> => {
    const found = await source.load(projectId)
    return found === null ? null : buildRules(found, inMemory.get(projectId)?.document ?? null)
  }

  const load = async (projectId: ProjectId): Promise<CompiledRules | null> => {
    const cached = await attempt("read flag rules from the cache", () => cache.get(projectId))
    if (cached?.format === RULE_DOCUMENT_FORMAT) return swap(cached)
    const building = attempt("read flags from PostgreSQL", () => build(projectId))
    const inTime = await withinBudget(building, PATIENCE_MS)
    if (!inTime.ok || inTime.value === null) {
      const kept = await attempt("read a snapshot of flag rules", () => snapshots.read(projectId))
      if (kept !== null) return swap(kept)
    }
    const built = await building
    if (built === null) return null
    void attempt("write flag rules to the cache", () => cache.set(built))
    return swap(built)
  }

  const rebuild = createSharedRuns(async (projectId: ProjectId): Promise<void> => {
    const document = await build(projectId)
    if (document === null) return
    await swap(document)
    await cache.set(document)
    await pubSub.publish(CHANNEL, { projectId, version: document.version })
    await source.markPublished(projectId, document.version)
  })

  const catchUp = async (projectId: ProjectId, version: number): Promise<void> => {
    const present = inMemory.get(projectId)
    if (present === undefined || present.document.version >= version) return
    const cached = await attempt("read flag rules from the cache", () => cache.get(projectId))
    if (cached !== null && cached.format === RULE_DOCUMENT_FORMAT && cached.version >= version) await swap(cached)
    else {
      const built = await build(projectId)
      if (built !== null) await swap(built)
    }
  }

  const onMessage = (message: Json): void => {
    if (!isJsonObject(message)) return
    const { projectId, version } = message
    if (typeof projectId !== "number" || typeof version !== "number") return
    void attempt("take over changed flag rules", () => catchUp(projectId as ProjectId, version))
  }

  return {
    rulesFor: (projectId) => {
      const present = inMemory.get(projectId)
      if (present !== undefined) return present
      let underWay = loading.get(projectId)
      if (underWay === undefined) {
        underWay = load(projectId).finally(() => loading.delete(projectId))
        loading.set(projectId, underWay)
      }
      return underWay
    },
    changed: async (projectId) => {
      await attempt("hand on changed flag rules; the next sweep will", () => rebuild(projectId))
    },
    healOutbox: async () => {
      await attempt("sweep flag rule versions", async () => {
        for (const projectId of await source.unpublished())
          await attempt("hand on changed flag rules", () => rebuild(projectId))
        const caughtUp: boolean[] = []
        for (const [projectId, version] of await source.versions([...inMemory.keys()]))
          caughtUp.push(await succeeds("catch up on changed flag rules", () => catchUp(projectId, version)))
        if (caughtUp.every(Boolean)) await confirm()
      })
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    freshness: () => ({
      projects: inMemory.size,
      ageSeconds: confirmedAtMs === null ? null : Math.max(0, clock.now() - confirmedAtMs) / 1_000,
    }),
    start: async () => {
      confirmedAtMs = await attempt("read when flag rules were current", () => snapshots.readConfirmedAt())
      unsubscribe = await pubSub.subscribe(CHANNEL, onMessage)
    },
    close: async () => {
      await unsubscribe()
      inMemory.clear()
    },
  }
}
