import type { IncomingMessage } from "node:http"
import type { RequestHandler } from "express"
import { QUERY_SCHEMA } from "../features/queries/index.js"
import { systemClock } from "../platform/clock/system-clock.js"
import { serveBrowserRoutes } from "../transport/browser-routes.js"
import { serveBrowserBundle, serveBrowserSdk } from "../transport/browser-sdk.js"
import { serveExportDownloads } from "../transport/export-downloads.js"
import { findDescription } from "../transport/graphql/find-description.js"
import { createGraphqlGateway } from "../transport/graphql/graphql-gateway.js"
import { createOperationMetrics } from "../transport/graphql/operation-metrics.js"
import { createRateLimiter } from "../transport/rate-limit.js"
import { createEventStreams } from "../transport/realtime/event-streams.js"
import { toDirectRows } from "../transport/rest/direct-rows.js"
import { toOpenApi } from "../transport/rest/openapi.js"
import type { DirectRow } from "../transport/rest/rest-route.types.js"
import { createRouteTable } from "../transport/rest/route-table.js"
import { restRoutes } from "../transport/rest/routes/index.js"
import { createRestRunner } from "../transport/rest/run-route.js"
import { createWebApp } from "../transport/web-app.js"
import { readSenderIp } from "../transport/wire/client-ip.js"
import type { OnDefect } from "../transport/wire/public-fault.js"
import { createContextFactory } from "./create-context.js"
import { createSchemas } from "./create-schema.js"
import { createExportHandler, createRunExportHandler, createTicketExportHandler } from "./export-query.js"
import { FIELD_COSTS } from "./field-costs.js"
import { openFlagEvents } from "./flag-events.js"
import type { Front, GatewayDependencies } from "./gateway.types.js"
import { openBrowserSdk } from "./open-browser-sdk.js"
import { readTrustedDocuments } from "./read-trusted-documents.js"
import { VERSION } from "./version.js"

export interface WebFrontDependencies
  extends Pick<GatewayDependencies, "environment" | "stores" | "features" | "metrics" | "limits" | "ids" | "logger"> {
  readonly health: RequestHandler
  /** The address that clients see, once there is one. */
  readonly baseUrl: () => string
  readonly onDefect: OnDefect
  readonly countReply: (route: string, status: number, durationMs: number) => void
}

/** Decisions are open to whoever has the project key, and have limits of their own. */
const OPEN_QUERIES = ["flagDecision"]

/** Wires everything that speaks to clients: GraphQL, REST, the hot paths, pages; and health. */
export async function createWebFront({
  environment,
  stores,
  features,
  metrics,
  limits,
  ids,
  logger,
  health,
  baseUrl,
  onDefect,
  countReply,
}: WebFrontDependencies): Promise<Front> {
  const { trustProxyHops } = environment
  const closing = new AbortController()
  const { bodyMemory, permits, keyless, wrongKeys, introspection } = limits
  const createContext = createContextFactory({
    access: features.access,
    signIn: features.signIn,
    resolvers: features.resolvers,
    ids,
    baseUrl,
    trustProxyHops,
    wrongKeys,
  })
  const consumeRateLimit = createRateLimiter({
    counters: stores.counters,
    clock: systemClock,
    limits: { perMinute: environment.rateLimitPerMinute, perHour: environment.rateLimitPerHour },
    keyless,
    logger,
  })
  const schemas = await createSchemas(features.resolvers)
  const { trustedDocuments, onlyTrustedDocuments } = environment
  const trusted = readTrustedDocuments(trustedDocuments, onlyTrustedDocuments, schemas.graph)
  const graphql = await createGraphqlGateway({
    schema: schemas.graph,
    operations: schemas.operations,
    trusted,
    createContext,
    consumeRateLimit,
    permits,
    introspection,
    onDefect,
    logger,
    fieldCosts: FIELD_COSTS,
    openQueries: OPEN_QUERIES,
    bodyMemory,
    trustProxyHops,
    siteUrl: environment.publicUrl,
    watchSessionEnds: features.signIn.watchEnds,
    countOperation: createOperationMetrics(metrics, Object.values(trusted.documents)),
  })
  const directRows = toDirectRows(features.directRoutes)
  const routes = [...directRows, ...restRoutes]
  const hot = createRestRunner({
    routes,
    trustProxyHops,
    createContext,
    consumeRateLimit,
    executeOperation: graphql.executeOperation,
    streams: {
      subscribe: graphql.subscribeOperation,
      permits,
      downloads: {
        exportQuery: createExportHandler(features.queryExports),
        exportRun: createRunExportHandler(features.queryExports, features.queries),
      },
      closing: closing.signal,
    },
    clock: systemClock,
    bodyMemory,
    onDefect,
    onUndeclaredStatus: (routeId, status) => logger.error("a row answered an undeclared status", { routeId, status }),
    onReply: countReply,
  })
  const sdk = openBrowserSdk(environment.browserSdkDirectory)
  const settingsScript = (token: string, request: IncomingMessage) =>
    features.remoteConfig.script(token, readSenderIp(request, trustProxyHops))
  const browserSdk = sdk && serveBrowserSdk(sdk)
  const browserBundle = sdk && serveBrowserBundle({ directory: sdk.directory, settingsScript, onDefect })
  const openApi = toOpenApi(routes, {
    version: VERSION,
    server: environment.publicUrl ?? "/",
    describe: (field) => findDescription(schemas.operations, field),
    schemas: { Query: QUERY_SCHEMA },
  })
  const browserRoutes = serveBrowserRoutes({
    routes: features.signIn.routes,
    siteUrl: baseUrl,
    bodyMemory,
    trustProxyHops,
    keyless,
    onDefect,
  })
  const exportDownloads = serveExportDownloads({
    open: createTicketExportHandler(features.queryExports, features.exportTickets),
    closing: closing.signal,
    trustProxyHops,
    keyless,
    onDefect,
  })
  const web = createWebApp({
    graphql: graphql.web,
    health,
    openApi,
    browserRoutes,
    exportDownloads,
    browserSdk,
    browserBundle,
    onDefect,
  })
  const streams = createEventStreams({
    path: "/flags/stream",
    open: openFlagEvents(features.flagStream, permits, trustProxyHops),
    permits,
    onDefect,
  })
  return {
    hot: (request, response) => hot(request, response) || streams.handle(request, response),
    web,
    handleUpgrade: graphql.handleUpgrade,
    upgradePaths: ["/graphql"],
    isReserved: isOfRow(directRows),
    close: (graceMs) => {
      streams.close()
      closing.abort()
      return graphql.close(graceMs)
    },
  }
}

/** Capture and decisions are answered also when everything else has taken all places. */
function isOfRow(directRows: readonly DirectRow[]): (path: string) => boolean {
  const match = createRouteTable(directRows)
  return (path) => match(path) !== null
}
