import type { QueryKind } from "../queries.types.js"
import type { QueryEngine } from "../query-engine.types.js"
import type { QuerySchemaReader } from "../query-schema.types.js"
import { createEventsQueryKind } from "./events-query.js"
import { createFunnelsQueryKind } from "./funnels/funnels-query.js"
import { createHogqlQueryKind } from "./hogql-query.js"
import { createHogqlRunner, type HogqlRunner } from "./hogql-runner.js"
import { createLifecycleQueryKind } from "./lifecycle-query.js"
import { createPathsQueryKind } from "./paths-query.js"
import { createRetentionQueryKind } from "./retention-query.js"
import { createStickinessQueryKind } from "./stickiness-query.js"
import { createTrendsQueryKind } from "./trends/trends-query.js"

const KINDS: readonly ((runner: HogqlRunner) => QueryKind)[] = [
  createHogqlQueryKind,
  createEventsQueryKind,
  createTrendsQueryKind,
  createFunnelsQueryKind,
  createRetentionQueryKind,
  createLifecycleQueryKind,
  createStickinessQueryKind,
  createPathsQueryKind,
]

/** Every kind of query that can be run, all over one runner. */
export function createQueryKinds(engine: QueryEngine, schemas: QuerySchemaReader): QueryKind[] {
  const runner = createHogqlRunner(engine, schemas)
  return KINDS.map((create) => create(runner))
}
