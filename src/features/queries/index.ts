import { ExportsResolver } from "./exports/exports.resolver.js"
import { InsightChangesResolver } from "./insight-changes.resolver.js"
import { QueriesResolver } from "./queries.resolver.js"
import { QueryStatusesResolver } from "./query-statuses.resolver.js"
import { TypedQueriesResolver } from "./typed/typed-queries.resolver.js"

export type { QueryOutcome } from "./answers/query-outcome.js"
export { forgetAnswers, forgetRuns, listExecutingRuns } from "./cache/answer-erasure.store.js"
export { toFault as toQueryFault } from "./engine/click-house-query-engine.store.js"
export { CONTENT_TYPES, EXPORT_FORMATS, type ExportFormat } from "./exports/export-format.js"
export type { ExportTickets } from "./exports/export-tickets.js"
export { MAX_EXPORT_ROWS, type OpenExport, type QueryExports } from "./exports/query-exports.js"
export { layFilters } from "./kinds/lay-filters.js"
export { QUERY_SCHEMA } from "./kinds/query-schema.js"
export { createQueriesFeature } from "./queries.feature.js"
export { QueryRunErrorType } from "./queries.graphql.js"
export type { QueriesService } from "./queries.service.js"
export type { QueryObject, RefreshMode } from "./queries.types.js"
export type { RecordingLister } from "./recording-lister.types.js"
export { requireDemandedScopes } from "./request/demanded-scopes.js"
export { toQueryRequest } from "./request/query-request.js"
export { createHogqlScopes } from "./schema/hogql-scope.js"
export { createPostgresQuerySchemaReader } from "./schema/postgres-query-schema.store.js"
export { PropertyFilterInput } from "./typed/inputs/filters.graphql.js"
export { QueryInput } from "./typed/inputs/query-input.graphql.js"
export { QueryRefreshEnum } from "./typed/query-refresh.graphql.js"
export { QueryResultUnion } from "./typed/results/query-result.graphql.js"
export { type QueryResult, showFault, showOutcome } from "./typed/show/show-outcome.js"
export { isPublic, showPublicly } from "./typed/show/show-publicly.js"
export { toProperties } from "./typed/wire/filters.js"
export { toWireQuery } from "./typed/wire/to-wire-query.js"

export const queryResolverClasses = [
  QueriesResolver,
  QueryStatusesResolver,
  InsightChangesResolver,
  TypedQueriesResolver,
  ExportsResolver,
] as const
