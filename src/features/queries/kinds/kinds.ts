import type { QueryEngine } from "../engine/query-engine.types.js"
import { orQueryFault } from "../insights/query-fault.js"
import { QueryReader } from "../insights/query-reader.js"
import type { QueryKind } from "../queries.types.js"
import type { RecordingLister } from "../recording-lister.types.js"
import { listRecordTables } from "../request/demanded-scopes.js"
import type { QuerySchemaReader } from "../schema/query-schema.types.js"
import { actorsQuery, personsQuery } from "./actors/actors-query.js"
import { insightActorsOptions } from "./actors/insight-actors-options.js"
import { INSIGHT_ACTORS_QUERIES } from "./actors/insight-actors-query.js"
import { calendarHeatmapQuery } from "./calendar-heatmap-query.js"
import { funnelCorrelationQuery } from "./correlations/funnel-correlation-query.js"
import { databaseSchemaQuery } from "./database-schema-query.js"
import { eventsQuery } from "./events-query.js"
import { funnelsQuery } from "./funnels/funnels-query.js"
import { groupsQuery } from "./groups-query.js"
import { hogqlAutocomplete } from "./hogql-autocomplete.js"
import { hogqlMetadata } from "./hogql-metadata.js"
import { hogqlQuery } from "./hogql-query.js"
import { withCurrentSchema } from "./kind-context.js"
import type { KindDefinition } from "./kind-definition.types.js"
import { lifecycleQuery } from "./lifecycle-query.js"
import { pathsQuery } from "./paths/paths-query.js"
import { propertyValuesQuery } from "./property-values-query.js"
import { createRecordingsQueryKind } from "./recordings-query.js"
import { refuseUnknownFields } from "./refuse-unknown-fields.js"
import { retentionQuery } from "./retention/retention-query.js"
import { sessionsQuery } from "./sessions-query.js"
import { sessionsTimelineQuery } from "./sessions-timeline-query.js"
import { stickinessQuery } from "./stickiness-query.js"
import { actorsPropertyTaxonomyQuery, eventTaxonomyQuery, teamTaxonomyQuery } from "./taxonomy-queries.js"
import { trendsQuery } from "./trends/trends-query.js"
import { webExternalClicksQuery } from "./web/web-external-clicks-query.js"
import { webGoalsQuery } from "./web/web-goals-query.js"
import { webOverviewQuery } from "./web/web-overview-query.js"
import { webPageUrlSearchQuery } from "./web/web-page-url-search-query.js"
import { webStatsTableQuery } from "./web/web-stats-table-query.js"
import { webVitalsPathBreakdownQuery } from "./web/web-vitals-path-breakdown-query.js"
import { webVitalsQuery } from "./web/web-vitals-query.js"

const DEFINITIONS: readonly KindDefinition[] = [
  hogqlQuery,
  eventsQuery,
  trendsQuery,
  funnelsQuery,
  retentionQuery,
  lifecycleQuery,
  stickinessQuery,
  calendarHeatmapQuery,
  pathsQuery,
  actorsQuery,
  personsQuery,
  ...INSIGHT_ACTORS_QUERIES,
  funnelCorrelationQuery,
  insightActorsOptions,
  groupsQuery,
  sessionsQuery,
  sessionsTimelineQuery,
  webOverviewQuery,
  webStatsTableQuery,
  webExternalClicksQuery,
  webPageUrlSearchQuery,
  webGoalsQuery,
  webVitalsQuery,
  webVitalsPathBreakdownQuery,
  propertyValuesQuery,
  teamTaxonomyQuery,
  eventTaxonomyQuery,
  actorsPropertyTaxonomyQuery,
  databaseSchemaQuery,
  hogqlMetadata,
  hogqlAutocomplete,
]

/** Every kind of query that can be run. Errors in the HogQL of a query become request faults. */
export function createQueryKinds(
  engine: QueryEngine,
  schemas: QuerySchemaReader,
  recordings: RecordingLister,
): QueryKind[] {
  const kinds = DEFINITIONS.map(
    ({ kind, answer }): QueryKind => ({
      kind,
      run: (query, run) =>
        orQueryFault(() => {
          refuseUnknownFields(query, kind)
          const asked = { run, records: listRecordTables(query) }
          return withCurrentSchema(engine, schemas, asked, (context) => answer(new QueryReader(query, kind), context))
        }),
    }),
  )
  return [...kinds, createRecordingsQueryKind(recordings)]
}
