import type { RequestHandler } from "express"
import { MAX_USUAL_LAG_SECONDS } from "../features/ingestion/index.js"
import { registerFlagRuleAge } from "../transport/health/flag-rule-metrics.js"
import { createHealthRoutes } from "../transport/health/health-routes.js"
import { registerProbes } from "../transport/health/probe-metrics.js"
import { registerProcessFigures } from "../transport/health/process-figures.js"
import type { GatewayDependencies } from "./gateway.types.js"
import { listStoreProbes } from "./store-probes.js"

type HealthDependencies = Pick<GatewayDependencies, "environment" | "stores" | "features" | "metrics" | "limits">

/** Registers the figures of this process in `metrics`, and makes the routes that tell how it is. */
export function createHealth(
  { environment, stores, features, metrics, limits }: HealthDependencies,
  isServing: () => boolean,
): RequestHandler {
  const decidesFlags = environment.roles.has("web")
  if (decidesFlags) registerFlagRuleAge(metrics, features.ruleFreshness)
  const probes = {
    stores: Object.fromEntries(listStoreProbes(stores).map(({ store, probe }) => [store, probe])),
    ingestion: () => features.ingestionLag.read(),
    captureRefusal: features.captureRefusal,
    deadLetters: () => features.deadLetters.count(),
    failingExports: features.countFailingExports,
  }
  // Before what asks the stores: whoever waits for them would be counted.
  registerProcessFigures(metrics, {
    postgresConnections: stores.database.countConnections,
    clickHouseStatements: () => stores.clickHouse.countStatements(),
    openStreams: () => limits.permits.open,
    ownedShards: () => features.ingestionLoop.ownedShards,
    serverMemory: stores.readServerMemory,
    cachedBytes: () => stores.cache.heldBytes(),
    dataDirectory: environment.dataDirectory,
  })
  registerProbes(metrics, probes)
  return createHealthRoutes({
    ...probes,
    maxUsualLagSeconds: MAX_USUAL_LAG_SECONDS,
    ...(decidesFlags && { flagRules: features.ruleFreshness }),
    isServing,
    metrics: environment.metricsPort === null ? metrics : null,
  })
}
