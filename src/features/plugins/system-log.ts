import { LRUCache } from "lru-cache"
import { type Clock, isRecent } from "../../kernel/clock.js"
import type { ProjectId } from "../../kernel/ids.js"
import type { Logger } from "../../platform/logger/logger.js"
import type { PluginConfig, PluginLogEntry, PluginLogType } from "./plugins.types.js"

const FLUSH_AFTER_MS = 1_000
/** What happens again and again gets one entry in this time, which says how often. */
const SAMPLED_EVERY_MS = 60_000
/** Entries that may wait while ClickHouse is away; beyond it they are lost, which a log can bear. */
const MAX_WAITING = 10_000
const MAX_SAMPLES = 10_000

/** The plugin that an entry is about. */
export type LogSubject = Pick<PluginConfig, "id" | "pluginId"> & { readonly projectId: ProjectId }

export interface SystemLogDependencies {
  readonly store: (entries: readonly PluginLogEntry[]) => Promise<void>
  readonly clock: Clock
  readonly newId: () => string
  readonly logger: Logger
  /** As `setTimeout`; the returned function cancels it. */
  readonly startTimer: (delayMs: number, work: () => void) => () => void
}

interface Sample {
  readonly sinceMs: number
  /** How often it has happened since it was last written down. */
  missed: number
}

/** What Waymark itself logs about plugins. Writing never fails and never waits: entries are stored in batches, a second later. */
export class SystemLog {
  private readonly instanceId: string
  private waiting: PluginLogEntry[] = []
  private storing: Promise<void> = Promise.resolve()
  private cancelFlush: (() => void) | null = null
  private readonly samples = new LRUCache<string, Sample>({ maxSize: MAX_SAMPLES, sizeCalculation: () => 1 })

  constructor(private readonly dependencies: SystemLogDependencies) {
    this.instanceId = dependencies.newId()
  }

  write({ projectId, id, pluginId }: LogSubject, type: PluginLogType, message: string): void {
    const { clock, newId, startTimer } = this.dependencies
    if (this.waiting.length >= MAX_WAITING) return
    const timestamp = new Date(clock.now())
    const place = { projectId, pluginId, pluginConfigId: id, instanceId: this.instanceId }
    this.waiting.push({ ...place, id: newId(), timestamp, source: "SYSTEM", type, message })
    this.cancelFlush ??= startTimer(FLUSH_AFTER_MS, () => void this.flush())
  }

  /**
   * Samples what happens often: null while an entry about `key` was written lately, else how often it has happened since
   * then, this time included. Cheap enough to be called for every event.
   */
  countSample(key: string): number | null {
    const nowMs = this.dependencies.clock.now()
    const sample = this.samples.get(key)
    if (sample !== undefined && isRecent(nowMs, sample.sinceMs, SAMPLED_EVERY_MS)) {
      sample.missed += 1
      return null
    }
    this.samples.set(key, { sinceMs: nowMs, missed: 0 })
    return 1 + (sample?.missed ?? 0)
  }

  /** Stores what waits; resolves when that is done or has failed. */
  flush(): Promise<void> {
    this.cancelFlush?.()
    this.cancelFlush = null
    const entries = this.waiting
    this.waiting = []
    if (entries.length > 0)
      this.storing = this.storing
        .then(() => this.dependencies.store(entries))
        .catch((err: unknown) => {
          this.dependencies.logger.warn("entries of plugins' logs were lost", { count: entries.length, err })
        })
    return this.storing
  }
}
