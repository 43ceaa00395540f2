import type { RequestListener } from "node:http"
import { isTracing } from "../kernel/trace.js"
import { HEALTH_PATHS } from "../transport/health/health-routes.js"
import { createMetricsServer } from "../transport/health/metrics-server.js"
import { createProbeApp } from "../transport/health/probe-app.js"
import { createRequestMetrics } from "../transport/health/request-metrics.js"
import { createHttpServer } from "../transport/http-server.js"
import { logRequests } from "../transport/log-requests.js"
import { traceRequests } from "../transport/trace-requests.js"
import { watchRequests } from "../transport/watch-requests.js"
import { measureWeb } from "../transport/web-routes.js"
import { createHealth } from "./create-health.js"
import type { Front, Gateway, GatewayDependencies } from "./gateway.types.js"
import { toReachableHost } from "./reachable-host.js"

/** Wires the one HTTP server of the process: with the role `web` everything that speaks to clients, otherwise probes alone. */
export async function createGateway(dependencies: GatewayDependencies): Promise<Gateway> {
  const { environment, isPrepared, metrics, limits, ids, logger, accessLog } = dependencies
  const { metricsPort, roles } = environment
  let isServing = false
  let address = ""
  const baseUrl = (): string => environment.publicUrl ?? address
  const onDefect = (defect: unknown): string => {
    const errorId = ids.uuidV4()
    logger.error("a request failed unexpectedly", { errorId, err: defect })
    return errorId
  }
  const countReply = createRequestMetrics(metrics)
  const health = createHealth(dependencies, () => isServing && isPrepared())
  const front = roles.has("web")
    ? await loadWebFront().then(({ createWebFront }) =>
        createWebFront({ ...dependencies, health, baseUrl, onDefect, countReply }),
      )
    : toProbeFront(createProbeApp({ health, roles, onDefect }))
  const server = createHttpServer({
    ...front,
    web: measureWeb(front.web, countReply),
    around: watchRequests([
      ...(isTracing() ? [traceRequests] : []),
      ...(accessLog === null ? [] : [logRequests(accessLog)]),
    ]),
    isReserved: (path) => HEALTH_PATHS.includes(path) || front.isReserved(path),
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
      await Promise.all([front.close(graceMs), server.close(graceMs), metricsServer.close(graceMs)])
    },
  }
}

/** Apollo, the schemas and all that is built of them: a process without the role `web` has none of it in memory. */
const loadWebFront = () => import("./create-web-front.js")

const toProbeFront = (web: RequestListener): Front => ({
  hot: () => false,
  web,
  handleUpgrade: (_request, socket) => socket.destroy(),
  upgradePaths: [],
  isReserved: () => false,
  close: async () => undefined,
})
