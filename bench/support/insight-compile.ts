import type { QueryEngine } from "../../src/features/queries/engine/query-engine.types.js"
import { findKind } from "../../src/features/queries/kinds/find-kind.js"
import { createQueryKinds } from "../../src/features/queries/kinds/kinds.js"
import type { QuerySchema } from "../../src/features/queries/schema/query-schema.types.js"
import { asProjectId } from "../../src/kernel/ids.js"
import type { InsightCase } from "./insight-cases.js"

/** Compiles every statement and runs none. */
const NO_ENGINE: QueryEngine = {
  select: async () => ({ columns: [], rows: [], rowsRead: 0, bytesRead: 0, elapsedMs: 0 }),
  progress: async () => null,
  kill: async () => undefined,
}
const EMPTY_SCHEMA: QuerySchema = {
  propertyDefinitions: { event: new Map(), person: new Map(), group: new Map() },
  groupTypes: new Map(),
  cohorts: new Map(),
  cohortsById: new Map(),
  actions: new Map(),
  testAccountFilters: [],
}
const REPETITIONS = 50

/** Milliseconds from an insight to the SQL of all its statements, in this process: the median of many. */
export async function compileTimeMs({ query }: InsightCase): Promise<number> {
  const recordings = { list: async () => ({ items: [], totalCount: 0 }) }
  const kind = findKind(createQueryKinds(NO_ENGINE, { read: async () => EMPTY_SCHEMA }, recordings), query)
  const run = {
    projectId: asProjectId(1),
    timezone: "UTC",
    weekStartDay: 0 as const,
    nowMs: Date.UTC(2026, 0, 30),
    engineQueryId: "bench",
    maxExecutionSeconds: 60,
    signal: new AbortController().signal,
  }
  const times: number[] = []
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const startedAt = performance.now()
    await kind.run(query, run)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[REPETITIONS / 2] as number
}
