import type { IncomingMessage } from "node:http"
import type { Registry } from "prom-client"
import { MAX_USUAL_LAG_SECONDS } from "../features/ingestion/index.js"
import { QUERY_SCHEMA } from "../features/queries/index.js"
import { isTracing } from "../kernel/trace.js"
import { systemClock } from "../platform/clock/system-clock.js"
import type { Ids } from "../platform/ids/ids.js"
import type { Logger } from "../platform/logger/logger.js"
import type { AccessLog } from "../platform/logger/open-access-log.js"
import { serveBrowserRoutes } from "../transport/browser-routes.js"
import { serveBrowserBundle, serveBrowserSdk } from "../transport/browser-sdk.js"
import { serveExportDownloads } from "../transport/export-downloads.js"
import { findDescription } from "../transport/graphql/find-description.js"
import { createGraphqlGateway } from "../transport/graphql/graphql-gateway.js"
import { createOperationMetrics } from "../transport/graphql/operation-metrics.js"
import { registerFlagRuleAge } from "../transport/health/flag-rule-metrics.js"
import { createHealthRoutes, HEALTH_PATHS } from "../transport/health/health-routes.js"
import { createMetricsServer } from "../transport/health/metrics-server.js"
import { registerProbes } from "../transport/health/probe-metrics.js"
import { registerProcessFigures } from "../transport/health/process-figures.js"
import { createRequestMetrics } from "../transport/health/request-metrics.js"
import { createHttpServer } from "../transport/http-server.js"
import { logRequests } from "../transport/log-requests.js"
import { createRateLimiter } from "../transport/rate-limit.js"
import { createEventStreams } from "../transport/realtime/event-streams.js"
import { toDirectRows } from "../transport/rest/direct-rows.js"
import { toOpenApi } from "../transport/rest/openapi.js"
import type { DirectRow } from "../transport/rest/rest-route.types.js"
import { createRouteTable } from "../transport/rest/route-table.js"
import { restRoutes } from "../transport/rest/routes/index.js"
import { createRestRunner } from "../transport/rest/run-route.js"
import { traceRequests } from "../transport/trace-requests.js"
import { watchRequests } from "../transport/watch-requests.js"
import { createWebApp } from "../transport/web-app.js"
import { measureWeb } from "../transport/web-routes.js"
import { readSenderIp } from "../transport/wire/client-ip.js"
import { createContextFactory } from "./create-context.js"
import type { Features } from "./create-features.js"
import type { Limits } from "./create-limits.js"
import { createSchemas } from "./create-schema.js"
import type { Environment } from "./environment.js"
import { createExportHandler, createRunExportHandler, createTicketExportHandler } from "./export-query.js"
import { FIELD_COSTS } from "./field-costs.js"
import { openFlagEvents } from "./flag-events.js"
import { openBrowserSdk } from "./open-browser-sdk.js"
import type { Stores } from "./open-stores.js"
import { toReachableHost } from "./reachable-host.js"
import { readTrustedDocuments } from "./read-trusted-documents.js"
import { listStoreProbes } from "./store-probes.js"
import { VERSION } from "./version.js"

export interface GatewayDependencies {
  readonly environment: Environment
  readonly stores: Stores
  readonly features: Features
  /** Whether migrations are done and background work runs; a process without them is not ready. */
  readonly isPrepared: () => boolean
  readonly metrics: Registry
  readonly limits: Limits
  readonly ids: Ids
  readonly logger: Logger
  /** Null where nobody asked for it. */
  readonly accessLog: AccessLog | null
}

/** The HTTP side of the process. */
export interface Gateway {
  /** Resolves with the address that clients see once connections are accepted. */
  listen(port: number, host: string): Promise<string>
  /** Tells who balances load to send requests elsewhere; serves on. */
  announceClose(): void
  /** Stops accepting, answers what is in flight, closes sockets with 1001. */
  close(graceMs: number): Promise<void>
}

/** Decisions are open to whoever has the project key, and have limits of their own. */
const OPEN_QUERIES = ["flagDecision"]

/** Wires everything that speaks to clients: GraphQL, REST, the hot paths, health, all on one HTTP server. */
export async function createGateway({
  environment,
  stores,
  features,
  isPrepared,
  metrics,
  limits,
  ids,
  logger,
  accessLog,
}: GatewayDependencies): Promise<Gateway> {
  const { trustProxyHops, metricsPort } = environment
  const closing = new AbortController()
  let isServing = false
  let address = ""
  const baseUrl = (): string => environment.publicUrl ?? address
  const onDefect = (defect: unknown): string => {
    const errorId = ids.uuidV4()
    logger.error("a request failed unexpectedly", { errorId, err: defect })
    return errorId
  }
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
  registerFlagRuleAge(metrics, features.ruleFreshness)
  const countReply = createRequestMetrics(metrics)
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
  const probes = {
    stores: Object.fromEntries(listStoreProbes(stores).map(({ store, probe }) => [store, probe])),
    ingestion: () => features.ingestionLag.read(),
    captureRefusal: features.captureRefusal,
    deadLetters: () => features.deadLetters.count(),
  }
  // Before what asks the stores: whoever waits for them would be counted.
  registerProcessFigures(metrics, {
    postgresConnections: stores.database.countConnections,
    clickHouseStatements: () => stores.clickHouse.countStatements(),
    openStreams: () => permits.open,
    ownedShards: () => features.ingestionLoop.ownedShards,
    serverMemory: stores.readServerMemory,
    cachedBytes: () => stores.cache.heldBytes(),
    dataDirectory: environment.dataDirectory,
  })
  registerProbes(metrics, probes)
  const health = createHealthRoutes({
    ...probes,
    maxUsualLagSeconds: MAX_USUAL_LAG_SECONDS,
    flagRules: features.ruleFreshness,
    isServing: () => isServing && isPrepared(),
    metrics: metricsPort === null ? metrics : null,
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
  const server = createHttpServer({
    hot: (request, response) => hot(request, response) || streams.handle(request, response),
    web: measureWeb(web, countReply),
    around: watchRequests([
      ...(isTracing() ? [traceRequests] : []),
      ...(accessLog === null ? [] : [logRequests(accessLog)]),
    ]),
    handleUpgrade: graphql.handleUpgrade,
    upgradePaths: ["/graphql"],
    isReserved: toReservedPaths(directRows),
    onRefused: limits.onConnectionRefused,
    limits: limits.http,
  })
  const metricsServer = createMetricsServer(metrics, onDefect)
  return {
    async listen(port, host) {
      if (metricsPort !== null) await metricsServer.listen(metricsPort, host)
      const actualPort = await server.listen(port, host)
      address = `http://${toReachableHost(host)}:${actualPort}`
      isServing = true
      return baseUrl()
    },
    announceClose() {
      isServing = false
      server.announceClose()
    },
    async close(graceMs) {
      isServing = false
      streams.close()
      closing.abort()
      await Promise.all([graphql.close(graceMs), server.close(graceMs), metricsServer.close(graceMs)])
    },
  }
}

/** Capture, decisions and health are answered also when everything else has taken all places. */
function toReservedPaths(directRows: readonly DirectRow[]): (path: string) => boolean {
  const match = createRouteTable(directRows)
  return (path) => HEALTH_PATHS.includes(path) || match(path) !== null
}
