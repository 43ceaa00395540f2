import type { Clock } from "../../kernel/clock.js"
import { isUp, PROBE_TIMEOUT_MS, within } from "../../kernel/probe.js"
import { rememberFor } from "../../kernel/remember-for.js"
import type { RefusalEnum, ServerHealthType, StoreHealthType, StoreName } from "./server-health.graphql.js"
import type { StoreFacts } from "./store-facts.store.js"

/** Many who look cost as much as one. */
const KEPT_MS = 5_000

export interface ServerHealthDependencies {
  /** The stores that there are; a probe rejects when its store does not answer. */
  readonly probes: readonly { readonly store: StoreName; readonly probe: () => Promise<void> }[]
  readonly facts: StoreFacts
  /** Rejects when PostgreSQL does not answer. */
  readonly readLag: () => Promise<{
    readonly oldestUnstoredSeconds: number
    readonly shardsWithoutOwner: number
    readonly shardCount: number
  }>
  readonly captureRefusal: () => RefusalEnum | null
  readonly clock: Clock
}

/** Reads how the server is. A store that hangs is one that does not answer, and keeps nothing else from being told. */
export function createServerHealth(dependencies: ServerHealthDependencies): () => Promise<ServerHealthType> {
  const { probes, facts, readLag, captureRefusal, clock } = dependencies
  const orNull = <T>(reading: Promise<T>): Promise<T | null> => within(reading, PROBE_TIMEOUT_MS).catch(() => null)

  async function measure(probe: () => Promise<void>): Promise<Pick<StoreHealthType, "isReachable" | "latencyMs">> {
    const beganAtMs = performance.now()
    const isReachable = await isUp(probe, PROBE_TIMEOUT_MS)
    return { isReachable, latencyMs: isReachable ? Math.round((performance.now() - beganAtMs) * 10) / 10 : null }
  }

  return rememberFor(KEPT_MS, async () => {
    const [postgres, clickHouse, lag, measured] = await Promise.all([
      orNull(facts.readPostgres()),
      orNull(facts.readClickHouse()),
      orNull(readLag()),
      Promise.all(probes.map(async ({ store, probe }) => ({ store, ...(await measure(probe)) }))),
    ])
    const sizes = { postgres, clickhouse: clickHouse, redis: null }
    const stores = measured.map((one) => {
      const { usedBytes = null, freeBytes = null } = sizes[one.store] ?? {}
      return { ...one, usedBytes, freeBytes }
    })
    return {
      stores,
      oldestUnstoredSeconds: lag?.oldestUnstoredSeconds ?? null,
      shardsWithoutOwner: lag?.shardsWithoutOwner ?? null,
      shardCount: lag?.shardCount ?? null,
      captureRefusal: captureRefusal(),
      lastBackupAt: postgres?.lastBackupAt ?? null,
      measuredAt: new Date(clock.now()),
    }
  })
}
