import type { DirectCall, DirectRoute } from "../../../src/kernel/direct-route.types.js"
import type { Reply } from "../../../src/kernel/reply.js"
import type { ByteBudget } from "../../../src/platform/limits/byte-budget.js"
import { createHttpServer } from "../../../src/transport/http-server.js"
import { toDirectRows } from "../../../src/transport/rest/direct-rows.js"
import type { RestRoute } from "../../../src/transport/rest/rest-route.types.js"
import { restRoutes } from "../../../src/transport/rest/routes/index.js"
import { createRestRunner } from "../../../src/transport/rest/run-route.js"
import { createWebApp } from "../../../src/transport/web-app.js"
import { ampleMemory } from "../../support/ample-memory.js"
import { createManualClock } from "../../support/manual-clock.js"
import { createSampleContext } from "./sample-context.js"
import { samplePermits } from "./sample-limits.js"

const MIB = 1024 * 1024

export interface RunningRest {
  readonly url: string
  /** Operations that rows ran, oldest first. */
  readonly executed: { readonly operation: string; readonly variables: Record<string, unknown> }[]
  readonly directCalls: DirectCall[]
  readonly defects: unknown[]
  readonly undeclared: string[]
  readonly observed: { readonly routeId: string | null; readonly status: number }[]
  readonly close: () => Promise<void>
}

export interface RestOptions {
  readonly routes?: readonly RestRoute[]
  /** Answers every operation; may throw as a resolver would. */
  readonly data?: (variables: Record<string, unknown>) => Record<string, unknown>
  readonly bodyMemory?: ByteBudget
  readonly direct?: (call: DirectCall) => Reply
}

/** Starts the REST surface on a free port; what lies behind the rows is played by `data` and `direct`. */
export async function startRest(options: RestOptions = {}): Promise<RunningRest> {
  const running = { executed: [], directCalls: [], defects: [], undeclared: [], observed: [] } as Omit<
    RunningRest,
    "url" | "close"
  >
  const onDefect = (thrown: unknown) => `error-${running.defects.push(thrown)}`
  const direct = async (call: DirectCall) => {
    running.directCalls.push(call)
    return options.direct?.(call) ?? { status: 200, body: { status: "Ok" } }
  }
  const route = (path: string, methods: DirectRoute["methods"], body: DirectRoute["body"]): DirectRoute => ({
    path,
    methods,
    body,
    statuses: [200],
    answer: direct,
    doc: { summary: "A sample.", source: "the tests" },
  })
  const directRows = toDirectRows([
    ...["/i/v0/e", "/batch", "/e", "/s"].map((path) => route(path, ["POST", "GET"], { maxBytes: 20 * MIB })),
    ...["/decide", "/flags"].map((path) => route(path, ["POST"], { maxBytes: MIB })),
    route("/flags", ["GET", "HEAD"], null),
    ...["/array/:token/config", "/array/:token/config.js"].map((path) => route(path, ["GET", "HEAD"], null)),
  ])
  const hot = createRestRunner({
    routes: options.routes ?? [...directRows, ...restRoutes],
    trustProxyHops: 0,
    createContext: createSampleContext,
    executeOperation: async (operation, variables, context) => {
      if (typeof variables.projectId === "string")
        await context.access.requireProject(context, variables.projectId, "session_recording_playlist:read")
      running.executed.push({ operation, variables })
      return options.data?.(variables) ?? {}
    },
    streams: {
      subscribe: () => Promise.reject(new Error("the sample rows have no events")),
      permits: samplePermits(),
      downloads: {},
      closing: new AbortController().signal,
    },
    clock: createManualClock(Date.UTC(2024, 1, 29, 12)),
    bodyMemory: options.bodyMemory ?? ampleMemory(),
    onDefect,
    onUndeclaredStatus: (id, status) => running.undeclared.push(`${id} ${status}`),
    onReply: (routeId, status) => running.observed.push({ routeId, status }),
  })
  const server = createHttpServer({
    hot,
    web: createWebApp({
      graphql: (_q, _r, next) => next(),
      health: (_q, _r, next) => next(),
      openApi: { openapi: "3.1.0" },
      onDefect,
    }),
    handleUpgrade: (_request, socket) => socket.destroy(),
    upgradePaths: ["/graphql"],
  })
  const port = await server.listen(0, "127.0.0.1")
  return { ...running, url: `http://127.0.0.1:${port}`, close: () => server.close(1_000) }
}
