import type { QueryEngine } from "../engine/query-engine.types.js"
import type { QueryKind } from "../queries.types.js"
import type { RecordingLister } from "../recording-lister.types.js"
import type { QuerySchemaReader } from "../schema/query-schema.types.js"
import { createActorsQueryKind } from "./actors/actors-query.js"
import { createInsightActorsOptionsKind } from "./actors/insight-actors-options.js"
import { createInsightActorsKind } from "./actors/insight-actors-query.js"
import { createFunnelCorrelationKind } from "./correlations/funnel-correlation-query.js"
import { createDatabaseSchemaQueryKind } from "./database-schema-query.js"
import { createEventsQueryKind } from "./events-query.js"
import { createFunnelsQueryKind } from "./funnels/funnels-query.js"
import { createGroupsQueryKind } from "./groups-query.js"
import { createHogqlAutocompleteKind } from "./hogql-autocomplete.js"
import { createHogqlMetadataKind } from "./hogql-metadata.js"
import { createHogqlQueryKind } from "./hogql-query.js"
import { createHogqlRunner, type HogqlRunner } from "./hogql-runner.js"
import { createLifecycleQueryKind } from "./lifecycle-query.js"
import { createPathsQueryKind } from "./paths/paths-query.js"
import { createRecordingsQueryKind } from "./recordings-query.js"
import { createRetentionQueryKind } from "./retention/retention-query.js"
import { createSessionsTimelineQueryKind } from "./sessions-timeline-query.js"
import { createStickinessQueryKind } from "./stickiness-query.js"
import {
  createActorsPropertyTaxonomyQueryKind,
  createEventTaxonomyQueryKind,
  createTeamTaxonomyQueryKind,
} from "./taxonomy-queries.js"
import { createTrendsQueryKind } from "./trends/trends-query.js"
import { createWebOverviewQueryKind } from "./web-overview-query.js"
import { createWebStatsTableQueryKind } from "./web-stats-table-query.js"

const KINDS: readonly ((runner: HogqlRunner) => QueryKind)[] = [
  createHogqlQueryKind,
  createEventsQueryKind,
  createTrendsQueryKind,
  createFunnelsQueryKind,
  createRetentionQueryKind,
  createLifecycleQueryKind,
  createStickinessQueryKind,
  createPathsQueryKind,
  createActorsQueryKind("ActorsQuery"),
  createActorsQueryKind("PersonsQuery"),
  createInsightActorsKind("InsightActorsQuery"),
  createInsightActorsKind("FunnelsActorsQuery"),
  createInsightActorsKind("FunnelCorrelationActorsQuery"),
  createFunnelCorrelationKind,
  createInsightActorsOptionsKind,
  createGroupsQueryKind,
  createSessionsTimelineQueryKind,
  createWebOverviewQueryKind,
  createWebStatsTableQueryKind,
  createTeamTaxonomyQueryKind,
  createEventTaxonomyQueryKind,
  createActorsPropertyTaxonomyQueryKind,
  createDatabaseSchemaQueryKind,
  createHogqlMetadataKind,
  createHogqlAutocompleteKind,
]

/** Every kind of query that can be run, those over the engine all over one runner. */
export function createQueryKinds(
  engine: QueryEngine,
  schemas: QuerySchemaReader,
  recordings: RecordingLister,
): QueryKind[] {
  const runner = createHogqlRunner(engine, schemas)
  const kinds = KINDS.map((create): QueryKind => {
    const kind = create(runner)
    return { ...kind, run: (query, run) => runner.settled(run, () => kind.run(query, run)) }
  })
  return [...kinds, createRecordingsQueryKind(recordings)]
}
