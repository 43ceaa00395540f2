import { createQueriesFeature } from "../../../src/features/queries/index.js"
import type { QueryRequest, RefreshMode } from "../../../src/features/queries/queries.types.js"
import { asProjectId, type ProjectId } from "../../../src/kernel/ids.js"
import type { JsonObject } from "../../../src/kernel/json.js"
import { createInProcessKeyValueCache } from "../../../src/platform/cache/in-process-key-value-cache.js"
import type { KeyValueCache } from "../../../src/platform/cache/key-value-cache.js"
import { systemClock } from "../../../src/platform/clock/system-clock.js"
import { createIds } from "../../../src/platform/ids/ids.js"
import { silentLogger } from "../../../src/platform/logger/logger.js"
import { createInProcessPubSub } from "../../../src/platform/pubsub/in-process-pub-sub.js"
import { startTestStores, type TestStores } from "../../support/test-stores.js"

export const PROJECT = asProjectId(1)
export const OTHER_PROJECT = asProjectId(2)
/** Runs until it is stopped. */
export const ENDLESS = "SELECT sum(sipHash64(number)) FROM numbers(100000000000)"

/** Queries over real stores. Each `process` is one more process on them, with a pub/sub of its own, and a cache unless it is given one that others have too. */
export interface QueriesApp extends TestStores {
  process(some?: ProcessOptions): QueriesProcess
}

interface ProcessOptions {
  readonly maxConcurrentRuns?: number
  readonly dataThroughMs?: () => number
  readonly sharedCache?: KeyValueCache
  readonly maxExportRows?: number
}

export type QueriesProcess = ReturnType<typeof createQueriesFeature> & {
  /** Asks for a HogQL text; the body of the answer. */
  ask(text: string, some?: Asked): Promise<JsonObject>
}

export interface Asked {
  readonly id?: string
  readonly refresh?: RefreshMode
  readonly project?: ProjectId
}

export async function startQueriesApp(): Promise<QueriesApp> {
  const stores = await startTestStores([])
  const ids = createIds()
  return {
    ...stores,
    process: ({ maxConcurrentRuns = 3, dataThroughMs = () => systemClock.now(), sharedCache, maxExportRows } = {}) => {
      const feature = createQueriesFeature({
        database: stores.database,
        clickHouse: stores.clickHouse,
        clock: systemClock,
        logger: silentLogger,
        cache: sharedCache ?? createInProcessKeyValueCache(systemClock),
        isCacheShared: sharedCache !== undefined,
        pubSub: createInProcessPubSub(silentLogger),
        recordings: { list: async () => ({ items: [], totalCount: 0 }) },
        projects: { settings: async () => ({ timezone: "UTC", weekStartDay: 0 }) },
        storedEvents: { onStored: async () => async () => undefined },
        watermark: { dataThroughMs: async () => dataThroughMs() },
        newId: () => ids.uuidV4(),
        ids,
        maxConcurrentRuns,
        ...(maxExportRows !== undefined && { maxExportRows }),
      })
      const ask = (text: string, { id, refresh = "blocking", project = PROJECT }: Asked = {}) => {
        const query = { kind: "HogQLQuery", query: text }
        const request: QueryRequest = { query, clientQueryId: id ?? null, refresh }
        return feature.service.run(project, request)
      }
      return { ...feature, ask }
    },
  }
}
