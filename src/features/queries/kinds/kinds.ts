import type { QueryKind } from "../queries.types.js"
import type { QueryEngine } from "../query-engine.types.js"
import type { QuerySchemaReader } from "../query-schema.types.js"
import { createEventsQueryKind } from "./events-query.js"
import { createFunnelsQueryKind } from "./funnels/funnels-query.js"
import { createHogqlQueryKind } from "./hogql-query.js"
import { createHogqlRunner } from "./hogql-runner.js"
import { createTrendsQueryKind } from "./trends/trends-query.js"

/** Every kind of query that can be run, all over one runner. */
export function createQueryKinds(engine: QueryEngine, schemas: QuerySchemaReader): QueryKind[] {
  const runner = createHogqlRunner(engine, schemas)
  return [createHogqlQueryKind, createEventsQueryKind, createTrendsQueryKind, createFunnelsQueryKind].map((create) =>
    create(runner),
  )
}
